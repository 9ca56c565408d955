package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an issuer says of itself (OpenID Connect Discovery 1.0, 3), as far as it concerns us. */
record DiscoveryDocument(
        URI authorizationEndpoint,
        URI tokenEndpoint,
        @Nullable URI userInfoEndpoint,
        @Nullable URI jwksUri,
        boolean pkce,
        ClientAuthentication clientAuthentication,
        List<String> algorithms,
        boolean namesIssuer) {

    /** Signatures that only the issuer can make: by a shared secret, or by none, never counts because it says so. */
    private static final Set<String> ASYMMETRIC =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    /** Fails with an IllegalArgumentException that says what is missing, in our words. */
    static DiscoveryDocument read(JsonNode json, String issuer, Function<String, URI> url) {
        if (!issuer.equals(json.path("issuer").textValue())) {
            throw new IllegalArgumentException("its discovery document is another issuer's");
        }
        var authorization = endpoint(json, "authorization_endpoint", url);
        var token = endpoint(json, "token_endpoint", url);
        if (authorization == null || token == null) {
            throw new IllegalArgumentException("its discovery document names no endpoints");
        }
        var algorithms = texts(json.path("id_token_signing_alg_values_supported")).stream()
                .filter(ASYMMETRIC::contains)
                .distinct()
                .toList();
        return new DiscoveryDocument(
                authorization,
                token,
                endpoint(json, "userinfo_endpoint", url),
                endpoint(json, "jwks_uri", url),
                texts(json.path("code_challenge_methods_supported")).contains("S256"),
                authentication(json.path("token_endpoint_auth_methods_supported")),
                algorithms.isEmpty() ? List.of("RS256") : algorithms,
                json.path("authorization_response_iss_parameter_supported").asBoolean(false));
    }

    private static @Nullable URI endpoint(JsonNode json, String name, Function<String, URI> url) {
        var text = json.path(name).textValue();
        return text == null ? null : url.apply(text);
    }

    private static ClientAuthentication authentication(JsonNode methods) {
        var names = texts(methods);
        return names.isEmpty() || names.contains("client_secret_basic")
                ? ClientAuthentication.BASIC
                : ClientAuthentication.POST;
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
