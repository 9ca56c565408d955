package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.oauth.catalogue.CatalogueEntry.Algorithm;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The part of an issuer's metadata that Vestibule uses (OpenID Connect Discovery 1.0, 3). */
record DiscoveryDocument(
        URI authorizationEndpoint,
        URI tokenEndpoint,
        @Nullable URI userInfoEndpoint,
        @Nullable URI jwksUri,
        boolean pkce,
        ClientAuthentication clientAuthentication,
        List<Algorithm> algorithms,
        boolean requiresIssuer) {

    /**
     * A discovery document can never enable signatures by a shared secret or unsigned tokens; only the catalogue can.
     */
    private static final Set<Algorithm> ASYMMETRIC = EnumSet.complementOf(EnumSet.of(Algorithm.HS256));

    /** Fails with an IllegalArgumentException that says what is missing and quotes nothing from the document. */
    static DiscoveryDocument read(JsonNode json, String issuer, Function<String, URI> url) {
        if (!issuer.equals(json.path("issuer").textValue())) {
            throw new IllegalArgumentException("its discovery document is for another issuer");
        }
        var authorization = endpoint(json, "authorization_endpoint", url);
        var token = endpoint(json, "token_endpoint", url);
        if (authorization == null || token == null) {
            throw new IllegalArgumentException("its discovery document lacks an authorization or token endpoint");
        }
        var names = texts(json.path("id_token_signing_alg_values_supported"));
        var algorithms = ASYMMETRIC.stream()
                .filter(algorithm -> names.contains(algorithm.name()))
                .toList();
        return new DiscoveryDocument(
                authorization,
                token,
                endpoint(json, "userinfo_endpoint", url),
                endpoint(json, "jwks_uri", url),
                texts(json.path("code_challenge_methods_supported")).contains("S256"),
                authentication(json.path("token_endpoint_auth_methods_supported")),
                algorithms.isEmpty() ? List.of(Algorithm.RS256) : algorithms,
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
