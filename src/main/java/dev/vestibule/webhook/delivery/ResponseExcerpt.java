package dev.vestibule.webhook.delivery;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The beginning of a response's body as a text that a database takes, whatever the body is. */
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
        // More is to come for all that it knows, so it leaves out a character that the end cuts in two.
        decoder.decode(ByteBuffer.wrap(body.getBytes(0, length)), text, false);
        return text.flip().toString().replace('\0', REPLACEMENT);
    }
}
