package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.Language;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An application's request to the page: where to return, and which screen to show first.
 *
 * @param fresh whether the person has to sign in even if the browser knows them, and at a provider even if that does
 * @param authorization the secret of the authorization request that the person signs in for; it knows where to return
 */
record HostedRequest(
        ReturnTo returnTo,
        Screen screen,
        @Nullable String email,
        @Nullable Language language,
        Instant expiresAt,
        boolean fresh,
        @Nullable String authorization) {

    /** Where the browser returns with a code, which the state and the challenge tie to this request. */
    record ReturnTo(String url, String state, @Nullable String codeChallenge) {
        static ReturnTo withoutCode(String url) {
            return new ReturnTo(url, "", null);
        }

        @Override
        public String toString() {
            return "ReturnTo";
        }
    }

    /** This request of a person who has to sign in, no matter who is known to use their browser. */
    HostedRequest ofFresh() {
        return new HostedRequest(returnTo, screen, email, language, expiresAt, true, authorization);
    }

    /** The fields for the URL, which are signed. */
    ObjectNode fields() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("returnTo", returnTo.url())
                .put("state", returnTo.state())
                .put("codeChallenge", returnTo.codeChallenge())
                .put("screen", screen.name())
                .put("email", email)
                .put("language", language == null ? null : language.text())
                .put("expiresAt", expiresAt.getEpochSecond())
                .put("fresh", fresh)
                .put("authorization", authorization);
    }

    /** Empty if a value is unknown to this release. */
    static Optional<HostedRequest> of(ObjectNode fields) {
        try {
            var language = text(fields, "language");
            return Optional.of(new HostedRequest(
                    new ReturnTo(
                            fields.path("returnTo").asText(),
                            fields.path("state").asText(),
                            text(fields, "codeChallenge")),
                    Screen.valueOf(fields.path("screen").asText()),
                    text(fields, "email"),
                    language == null ? null : Language.of(language),
                    Instant.ofEpochSecond(fields.path("expiresAt").asLong()),
                    fields.path("fresh").asBoolean(),
                    text(fields, "authorization")));
        } catch (IllegalArgumentException | InvalidValueException unknown) {
            return Optional.empty();
        }
    }

    private static @Nullable String text(JsonNode fields, String name) {
        return fields.hasNonNull(name) ? fields.get(name).asText() : null;
    }

    @Override
    public String toString() {
        return "HostedRequest";
    }
}
