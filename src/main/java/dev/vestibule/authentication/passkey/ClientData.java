package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.Optional;

/** What the browser or the app says about a ceremony ({@code clientDataJSON}); the authenticator signs its hash. */
record ClientData(String type, Buffer challenge, String origin, boolean isFramed) {
    static final String REGISTRATION = "webauthn.create";
    static final String SIGN_IN = "webauthn.get";

    /** Empty if the text is something else. Pages in a frame of another origin say so. */
    static Optional<ClientData> parse(Buffer json) {
        try {
            if (!(Json.parse(json) instanceof ObjectNode object)) {
                return Optional.empty();
            }
            return Optional.of(new ClientData(
                    text(object, "type"),
                    Buffer.buffer(Base64.getUrlDecoder().decode(text(object, "challenge"))),
                    text(object, "origin"),
                    isGiven(object.path("topOrigin"))
                            || object.path("crossOrigin").asBoolean(false)));
        } catch (MalformedJsonException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isGiven(JsonNode field) {
        return !field.isMissingNode() && !field.isNull();
    }

    private static String text(ObjectNode object, String name) {
        var field = object.path(name);
        if (!field.isTextual()) {
            throw new IllegalArgumentException(name);
        }
        return field.textValue();
    }
}
