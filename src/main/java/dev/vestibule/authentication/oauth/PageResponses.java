package dev.vestibule.authentication.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries the response of a provider to a page of this server in the browser's URL, encrypted so that nobody can read
 * it there. Providers that post their response do so from another site, so browsers do not send the page's cookie; they
 * send it with the GET that follows.
 */
final class PageResponses {
    private static final String STATE = "state";
    private static final String RESPONSE = "response";

    private final Sealer sealer;

    PageResponses(MasterKeys masterKeys) {
        this.sealer = new Sealer(masterKeys, "responses of providers to pages");
    }

    /** The URL of the page, without the part that the page appended for itself. */
    String carry(String page, ProjectId project, StateToken token, ProviderAnswer answer) {
        var fields = JsonNodeFactory.instance.objectNode();
        answer.code().ifPresent(code -> fields.put("code", code));
        answer.error().ifPresent(error -> fields.put("error", error));
        fields.put("iss", answer.issuer()).put("user", answer.postedUser());
        var sealed = sealer.seal(Json.encode(fields).getBytes(), context(token));
        return page.split("\\?", 2)[0] + "?" + STATE + "=" + token.text() + "&" + RESPONSE + "="
                + StateToken.base64(sealed);
    }

    /** The state; empty if there is none of this project. */
    static Optional<StateToken> state(MultiMap parameters, ProjectId project) {
        return OauthFields.parameter(parameters, STATE)
                .flatMap(StateToken::parse)
                .filter(token -> token.project().equals(project));
    }

    /** What {@link #carry} put there for this state; empty if somebody has changed it. */
    Optional<ProviderAnswer> read(MultiMap parameters, StateToken token) {
        try {
            return OauthFields.parameter(parameters, RESPONSE)
                    .map(text -> sealer.open(Base64.getUrlDecoder().decode(text), context(token)))
                    .map(plain -> Json.parse(Buffer.buffer(plain)))
                    .map(fields -> new ProviderAnswer(
                            Optional.ofNullable(text(fields, "code")),
                            Optional.ofNullable(text(fields, "error")),
                            text(fields, "iss"),
                            text(fields, "user")));
        } catch (IllegalArgumentException | IllegalStateException changed) {
            return Optional.empty();
        }
    }

    private static @Nullable String text(JsonNode fields, String name) {
        return fields.hasNonNull(name) ? fields.get(name).asText() : null;
    }

    private static byte[] context(StateToken token) {
        return token.text().getBytes(StandardCharsets.US_ASCII);
    }
}
