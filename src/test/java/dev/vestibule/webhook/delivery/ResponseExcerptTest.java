package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class ResponseExcerptTest {
    @Test
    void anExcerptIsTheFirstKibibyteAndEndsWithAWholeCharacter() {
        assertThat(ResponseExcerpt.of(Buffer.buffer())).isEmpty();
        assertThat(ResponseExcerpt.of(Buffer.buffer("Zoë 🎈"))).isEqualTo("Zoë 🎈");
        assertThat(ResponseExcerpt.of(Buffer.buffer("a".repeat(2000)))).isEqualTo("a".repeat(1024));
        assertThat(ResponseExcerpt.of(Buffer.buffer("a".repeat(1022) + "🎈"))).isEqualTo("a".repeat(1022));
    }

    @Test
    void invalidBytesAreReplaced() {
        assertThat(ResponseExcerpt.of(Buffer.buffer(new byte[] {'a', 0, (byte) 0xff, (byte) 0xed, (byte) 0xa0, 'b'})))
                .startsWith("a\ufffd\ufffd")
                .endsWith("b")
                .doesNotContain("\0");
    }
}
