package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1} x",
                "{\"a\":1}{}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":1,}",
                "[1,]",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "// comment\n{}",
                "{",
                "\"\u0001\"",
                "nul"
            })
    void jsonIsParsedStrictly(String text) {
        assertThatThrownBy(() -> Json.parse(Buffer.buffer(text))).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void depthAndNumbersAreLimited() {
        assertThat(Json.parse(Buffer.buffer("[".repeat(32) + "]".repeat(32))).isArray())
                .isTrue();
        assertThatThrownBy(() -> Json.parse(Buffer.buffer("[".repeat(33) + "]".repeat(33))))
                .isInstanceOf(MalformedJsonException.class);
        assertThat(Json.parse(Buffer.buffer("9".repeat(64))).isNumber()).isTrue();
        assertThatThrownBy(() -> Json.parse(Buffer.buffer("9".repeat(65)))).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void invalidUtf8IsRefused() {
        var invalid = Buffer.buffer("{\"a\":\"").appendBytes(new byte[] {(byte) 0xc3, (byte) 0x28});
        assertThatThrownBy(() -> Json.parse(invalid.appendString("\"}"))).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void anErrorNamesThePositionAndNeverTheContent() {
        assertThatThrownBy(() -> Json.parse(Buffer.buffer("{\"password\":\n hunter2}")))
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("hunter");
    }

    @Test
    void aDuplicateFieldIsNamed() {
        assertThatThrownBy(() -> Json.parse(Buffer.buffer("{\"a\":{\"b\\n\":1,\n \"b\\n\":2}}")))
                .hasMessageStartingWith("The body has the field \"b\\n\" twice in one object (line 2, column ");
    }

    @Test
    void instantsAreWrittenWithMillisecondsInUtc() {
        assertThat(Json.encode(Map.of("at", Instant.parse("2026-01-15T10:30:00Z")))
                        .toString())
                .isEqualTo("{\"at\":\"2026-01-15T10:30:00.000Z\"}");
        assertThat(Json.encode(Instant.parse("2026-01-15T10:30:00.123999Z")).toString())
                .isEqualTo("\"2026-01-15T10:30:00.123Z\"");
    }
}
