package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks the parameters of an authorization request whose client and redirect URI are known to be right. */
final class AuthorizationRequestReader {
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    private static final Set<String> PROMPTS = Set.of("none", "login", "consent", "select_account", "create");

    private final SignedTokens tokens;

    AuthorizationRequestReader(SignedTokens tokens) {
        this.tokens = tokens;
    }

    /** Fails with an {@link OauthError} for the client. */
    Future<AuthorizationRequest> read(
            ProjectId project, Client client, String redirectUri, Parameters given, List<Resource> all) {
        given.check();
        if (given.has("request")) {
            throw OauthError.of("request_not_supported", "Request objects are not supported.");
        }
        if (given.has("request_uri")) {
            throw OauthError.of("request_uri_not_supported", "The parameter request_uri is not supported.");
        }
        if (!given.required("response_type").equals("code")) {
            throw OauthError.of("unsupported_response_type", "Only the response type code is supported.");
        }
        var mode = given.find("response_mode").orElse("query");
        if (!mode.equals("query") && !mode.equals("form_post")) {
            throw OauthError.invalidRequest("The response_mode must be query or form_post.");
        }
        var resources = resources(given.resources(), all);
        var prompt = given.words("prompt");
        if ((prompt.size() > 1 && prompt.contains("none")) || !PROMPTS.containsAll(prompt)) {
            throw OauthError.invalidRequest("The prompt is unknown, or none together with others.");
        }
        var claims = claims(given);
        var acr = claims.path("id_token").path("acr");
        // without values, the claim only has to be in the ID token, as it always is (OpenID Connect Core, 5.5.1.1)
        var acrIsEssential = acr.path("essential").asBoolean() && !values(acr).isEmpty();
        var acrValues = acrIsEssential ? values(acr) : given.words("acr_values");
        var hint = given.find("id_token_hint");
        var valueOfSub = Optional.ofNullable(
                        claims.path("id_token").path("sub").path("value").textValue())
                .map(Parameters::printable);
        return (hint.isEmpty()
                        ? Future.<@Nullable String>succeededFuture(valueOfSub.orElse(null))
                        : tokens.verify(project, SignedTokens.ID_TOKEN, hint.get())
                                .map(found -> found.map(hinted -> (String) hinted.get("sub"))
                                        .orElseThrow(() -> OauthError.invalidRequest(
                                                "The id_token_hint is not an ID token of this issuer."))))
                .map(hintedUser -> new AuthorizationRequest(
                        client.id(),
                        redirectUri,
                        mode.equals("form_post"),
                        scopes(given.words("scope"), resources),
                        resources.stream().map(Resource::uri).toList(),
                        given.find("state").orElse(null),
                        given.find("nonce").orElse(null),
                        challenge(client, given),
                        thumbprint(given),
                        prompt,
                        maxAge(given),
                        acrValues,
                        acrIsEssential,
                        given.find("login_hint").orElse(null),
                        hintedUser,
                        given.language().orElse(null),
                        names(claims.path("id_token")),
                        names(claims.path("userinfo")),
                        null,
                        null));
    }

    /** The named APIs, or the default one. */
    static List<Resource> resources(List<String> named, List<Resource> all) {
        if (named.isEmpty()) {
            return all.stream().filter(Resource::isDefault).toList();
        }
        var found = new ArrayList<Resource>();
        for (var uri : named) {
            found.add(all.stream()
                    .filter(resource -> resource.isNamed(uri))
                    .findFirst()
                    .orElseThrow(() -> OauthError.of("invalid_target", "A resource is unknown.")));
        }
        return found.stream().distinct().toList(); // with and without its slash, one can be named twice
    }

    /** Without unknown ones, which are ignored (OpenID Connect Core, 3.1.2.1). */
    static List<String> scopes(List<String> asked, List<Resource> resources) {
        return asked.stream()
                .filter(scope -> StandardScopes.ALL.contains(scope)
                        || resources.stream().anyMatch(resource -> resource.has(scope)))
                .toList();
    }

    /** RFC 7636, 4.3; a method that is not named would be plain. */
    private static @Nullable String challenge(Client client, Parameters given) {
        var challenge = given.find("code_challenge");
        if (challenge.isEmpty()) {
            if (client.requirePkce()) {
                throw OauthError.invalidRequest("A code_challenge is required.");
            }
            if (given.has("code_challenge_method")) {
                throw OauthError.invalidRequest("A code_challenge_method needs a code_challenge.");
            }
            return null;
        }
        if (!given.find("code_challenge_method").orElse("plain").equals("S256")
                || !CHALLENGE.matcher(challenge.get()).matches()) {
            throw OauthError.invalidRequest(
                    "The code_challenge must be of the method S256, 43 characters of base64url.");
        }
        return challenge.get();
    }

    /** RFC 9449, 10: the code is worth nothing without this key. */
    private static @Nullable String thumbprint(Parameters given) {
        var thumbprint = given.find(Parameters.KEY_THUMBPRINT);
        if (thumbprint.isPresent() && !CHALLENGE.matcher(thumbprint.get()).matches()) {
            throw OauthError.invalidRequest("The dpop_jkt must be a thumbprint of 43 characters of base64url.");
        }
        return thumbprint.orElse(null);
    }

    private static @Nullable Integer maxAge(Parameters given) {
        var text = given.find("max_age");
        if (text.isPresent() && !SECONDS.matcher(text.get()).matches()) {
            throw OauthError.invalidRequest("The max_age must be a number of seconds.");
        }
        return text.map(Integer::valueOf).orElse(null);
    }

    private static JsonNode claims(Parameters given) {
        try {
            var claims = Json.parse(Buffer.buffer(given.find("claims").orElse("{}")));
            if (claims.isObject()) {
                return claims;
            }
        } catch (MalformedJsonException malformed) {
            // refused below
        }
        throw OauthError.invalidRequest("The parameter claims must be a JSON object.");
    }

    private static List<String> values(JsonNode claim) {
        var values = new ArrayList<String>();
        claim.path("values").forEach(value -> values.add(Parameters.printable(value.asText())));
        if (claim.path("value").isTextual()) {
            values.add(Parameters.printable(claim.path("value").asText()));
        }
        return List.copyOf(values);
    }

    private static List<String> names(JsonNode claims) {
        return claims.properties().stream()
                .map(Map.Entry::getKey)
                .filter(StandardScopes.CLAIM_NAMES::contains)
                .toList();
    }
}
