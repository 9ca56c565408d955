package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a client says of itself (RFC 7591, 2): in the document at its URL, or when it registers itself. Members that are
 * unknown here are ignored.
 */
record ClientMetadata(
        String name,
        List<String> redirectUris,
        List<String> postLogoutRedirectUris,
        String authentication,
        @Nullable Map<String, Object> jwks,
        @Nullable String jwksUri,
        boolean requirePushedRequests,
        boolean deviceFlow,
        boolean dpopBoundAccessTokens,
        String idTokenAlgorithm) {
    private static final int MAX_REDIRECTS = 20;
    private static final int MAX_NAME = 100;
    private static final String METHOD = "token_endpoint_auth_method";

    /**
     * Fails with an {@link OauthError} that says which member is wrong.
     *
     * @param defaultName if it has none
     * @param methods how it can authenticate; the first one if it does not say
     */
    static ClientMetadata read(JsonNode given, String defaultName, List<String> methods, OwnUrls urls) {
        var method = given.path(METHOD).asText(methods.get(0));
        if (!methods.contains(method)) {
            throw invalid(METHOD, "must be " + String.join(" or ", methods));
        }
        var responses = texts(given, "response_types");
        if (!responses.isEmpty() && !responses.equals(List.of("code"))) {
            throw invalid("response_types", "must be code");
        }
        var kind = kind(method);
        var redirects = uris(given, "redirect_uris", kind);
        if (redirects.isEmpty()) {
            throw OauthError.of("invalid_redirect_uri", "redirect_uris is required.");
        }
        var jwks = given.path("jwks");
        var jwksUri = given.path("jwks_uri").textValue();
        var isSigned = method.equals(Client.PRIVATE_KEY_JWT);
        if (isSigned && jwks.isObject() == (jwksUri != null)) {
            throw invalid("jwks", "or jwks_uri is required, and not both");
        }
        var algorithm = given.path("id_token_signed_response_alg").asText("RS256");
        return new ClientMetadata(
                checked("client_name", given.path("client_name").asText(defaultName), ClientMetadata::name),
                redirects,
                uris(given, "post_logout_redirect_uris", kind),
                method,
                isSigned && jwks.isObject() ? keys(jwks) : null,
                isSigned && jwksUri != null ? checked("jwks_uri", jwksUri, urls::keys) : null,
                given.path("require_pushed_authorization_requests").asBoolean(),
                texts(given, "grant_types").contains(GrantType.DEVICE_CODE),
                given.path("dpop_bound_access_tokens").asBoolean(),
                algorithm.equals("ES256") ? algorithm : "RS256");
    }

    /** Strangers choose it, and must not reorder or hide the words around it. */
    private static String name(String text) {
        if (text.codePoints().anyMatch(point -> Character.getType(point) == Character.FORMAT)) {
            throw new InvalidValueException("must not have invisible formatting characters");
        }
        return Text.line(text, MAX_NAME);
    }

    private static ClientKind kind(String method) {
        return method.equals(Client.NONE) || method.equals(Client.PRIVATE_KEY_JWT) ? ClientKind.NATIVE : ClientKind.WEB;
    }

    /** Whether it can keep a secret. */
    ClientKind kind() {
        return authentication.equals(Client.NONE) ? ClientKind.NATIVE : ClientKind.WEB;
    }

    private static List<String> uris(JsonNode given, String member, ClientKind kind) {
        var uris = texts(given, member);
        if (uris.size() > MAX_REDIRECTS) {
            throw OauthError.of("invalid_redirect_uri", member + " has more than " + MAX_REDIRECTS + " URIs.");
        }
        for (var uri : uris) {
            try {
                ClientFields.redirectUri(kind, uri);
            } catch (InvalidValueException wrong) {
                throw OauthError.of("invalid_redirect_uri", "A URI in " + member + " " + wrong.getMessage() + ".");
            }
        }
        return uris;
    }

    private static List<String> texts(JsonNode given, String member) {
        var texts = new ArrayList<String>();
        given.path(member).forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }

    private static Map<String, Object> keys(JsonNode jwks) {
        try {
            var keys = RegisteredKeys.TYPE.read(jwks);
            RegisteredKeys.problem(keys).ifPresent(problem -> {
                throw invalid("jwks", problem);
            });
            return keys;
        } catch (InvalidValueException wrong) {
            throw invalid("jwks", wrong.getMessage());
        }
    }

    private static String checked(String member, String text, UnaryOperator<String> rule) {
        try {
            return rule.apply(text);
        } catch (InvalidValueException wrong) {
            throw invalid(member, wrong.getMessage());
        }
    }

    private static OauthError invalid(String member, @Nullable String problem) {
        return OauthError.of("invalid_client_metadata", member + " " + problem + ".");
    }

    /** A client of a third party with this metadata. */
    Client client(String id, ClientKind kind, Origin origin) {
        return new Client(
                id,
                kind,
                name,
                redirectUris,
                postLogoutRedirectUris,
                false,
                authentication,
                jwks,
                jwksUri,
                List.of(),
                true,
                requirePushedRequests,
                deviceFlow,
                false,
                dpopBoundAccessTokens,
                idTokenAlgorithm,
                true,
                Map.of(),
                null,
                origin.registeredItself(),
                origin.freshUntil(),
                origin.createdAt(),
                origin.updatedAt());
    }

    /**
     * Where the client comes from.
     *
     * @param freshUntil when its document has to be read again; null if it has none
     */
    record Origin(boolean registeredItself, @Nullable Instant freshUntil, Instant createdAt, Instant updatedAt) {}
}
