package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Signed data that a browser stores for the page: nobody can change it, or use it for another purpose or in another
 * place.
 */
final class SignedFields {
    private static final Pattern SHAPE = Pattern.compile("([A-Za-z0-9_-]{1,6000})\\.([A-Za-z0-9_-]{43})");

    private final KeyedHash hash;

    SignedFields(MasterKeys masterKeys, String purpose) {
        this.hash = new KeyedHash(masterKeys, purpose);
    }

    /**
     * Writes the fields as a text for a URL, a form or a cookie.
     *
     * @param place the only place where they are valid, such as a project
     */
    String write(String place, ObjectNode fields) {
        var payload = base64(Json.encode(fields).getBytes());
        return payload + "." + base64(hash.hash(message(place, payload)));
    }

    /** Empty if the text was not written for this place. */
    Optional<ObjectNode> read(String place, String text) {
        var parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            var decoder = Base64.getUrlDecoder();
            return hash.matches(message(place, parts.group(1)), decoder.decode(parts.group(2)))
                    ? Optional.of((ObjectNode) Json.parse(Buffer.buffer(decoder.decode(parts.group(1)))))
                    : Optional.empty();
        } catch (IllegalArgumentException | MalformedJsonException damaged) {
            return Optional.empty();
        }
    }

    private static byte[] message(String place, String payload) {
        return (place + "." + payload).getBytes(StandardCharsets.US_ASCII);
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
