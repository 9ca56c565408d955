package dev.vestibule.webhook.delivery;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The first bytes of a response's body as text that PostgreSQL can store, even if the body is binary. */
final class ResponseExcerpt {
    private static final int BYTES = 1024;
    private static final char REPLACEMENT = '\uFFFD';

    private ResponseExcerpt() {}

    static String of(Buffer body) {
        var length = Math.min(body.length(), BYTES);
        var text = CharBuffer.allocate(length);
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        // The decoder is not told of the end of input, so it leaves out a character that is cut in two.
        decoder.decode(ByteBuffer.wrap(body.getBytes(0, length)), text, false);
        return text.flip().toString().replace('\0', REPLACEMENT);
    }
}
