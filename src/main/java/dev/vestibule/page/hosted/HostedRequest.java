package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an application asks of the page: where to return and with what; and with what screen to begin. */
record HostedRequest(
        String returnTo,
        String state,
        @Nullable String codeChallenge,
        Screen screen,
        @Nullable String email,
        @Nullable Language language,
        Instant expiresAt) {

    /** Writes requests into URLs so that nothing in them can be changed, nor taken to another project. */
    static final class Signer {
        private static final Pattern SHAPE = Pattern.compile("([A-Za-z0-9_-]{1,6000})\\.([A-Za-z0-9_-]{43})");

        private final KeyedHash hash;

        Signer(MasterKeys masterKeys) {
            this.hash = new KeyedHash(masterKeys, "hosted page requests");
        }

        String write(ProjectId project, HostedRequest request) {
            var fields = JsonNodeFactory.instance
                    .objectNode()
                    .put("returnTo", request.returnTo())
                    .put("state", request.state())
                    .put("codeChallenge", request.codeChallenge())
                    .put("screen", request.screen().name())
                    .put("email", request.email())
                    .put(
                            "language",
                            request.language() == null
                                    ? null
                                    : request.language().text())
                    .put("expiresAt", request.expiresAt().getEpochSecond());
            var payload = base64(Json.encode(fields).getBytes());
            return payload + "." + base64(hash.hash(message(project, payload)));
        }

        /** Empty if it was not written for this project, or is too old. */
        Optional<HostedRequest> read(ProjectId project, String text, Instant now) {
            var parts = SHAPE.matcher(text);
            if (!parts.matches()) {
                return Optional.empty();
            }
            try {
                var decoder = Base64.getUrlDecoder();
                if (!hash.matches(message(project, parts.group(1)), decoder.decode(parts.group(2)))) {
                    return Optional.empty();
                }
                return Optional.of(request(Json.parse(Buffer.buffer(decoder.decode(parts.group(1))))))
                        .filter(request -> request.expiresAt().isAfter(now));
            } catch (IllegalArgumentException | MalformedJsonException damaged) {
                return Optional.empty();
            }
        }

        private static byte[] message(ProjectId project, String payload) {
            return (project + "." + payload).getBytes(StandardCharsets.US_ASCII);
        }

        private static HostedRequest request(JsonNode fields) {
            var language = text(fields, "language");
            return new HostedRequest(
                    fields.path("returnTo").asText(),
                    fields.path("state").asText(),
                    text(fields, "codeChallenge"),
                    Screen.valueOf(fields.path("screen").asText()),
                    text(fields, "email"),
                    language == null ? null : Language.of(language),
                    Instant.ofEpochSecond(fields.path("expiresAt").asLong()));
        }

        private static @Nullable String text(JsonNode fields, String name) {
            return fields.hasNonNull(name) ? fields.get(name).asText() : null;
        }
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return "HostedRequest";
    }
}
