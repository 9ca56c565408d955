package dev.vestibule.oauth.server;

import dev.vestibule.http.Reply;
import dev.vestibule.oauth.jose.SignedAssertion;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignedTokens;
import java.util.LinkedHashMap;
import java.util.List;

/** What clients learn about an issuer (OpenID Connect Discovery 3; RFC 8414, 2). It announces only what there is. */
final class ServerMetadata {
    static final String USERINFO = "/oauth/userinfo";
    static final String TOKEN = "/oauth/token";
    static final String REGISTER = "/oauth/register";
    static final String PUSH = "/oauth/par";
    static final String DEVICE = "/oauth/device_authorization";

    private static final String CACHE_CONTROL = "public, max-age=300";

    private final SignedTokens tokens;

    ServerMetadata(SignedTokens tokens) {
        this.tokens = tokens;
    }

    Reply reply(Project project) {
        var issuer = tokens.issuer(project.id());
        var all = new LinkedHashMap<String, Object>();
        all.put("issuer", issuer);
        all.put("jwks_uri", issuer + "/.well-known/jwks.json");
        all.put("authorization_endpoint", issuer + "/oauth/authorize");
        all.put("token_endpoint", issuer + TOKEN);
        all.put("pushed_authorization_request_endpoint", issuer + PUSH);
        all.put("device_authorization_endpoint", issuer + DEVICE);
        if (project.dynamicRegistration()) {
            all.put("registration_endpoint", issuer + REGISTER);
        }
        all.put("userinfo_endpoint", issuer + USERINFO);
        all.put("introspection_endpoint", issuer + "/oauth/introspect");
        all.put("revocation_endpoint", issuer + "/oauth/revoke");
        all.put("end_session_endpoint", issuer + "/oauth/logout");
        all.put("backchannel_logout_supported", true);
        all.put("backchannel_logout_session_supported", true);
        all.put("scopes_supported", StandardScopes.ALL);
        all.put("response_types_supported", List.of("code"));
        all.put("response_modes_supported", List.of("query", "form_post"));
        all.put("grant_types_supported", TokenEndpoint.TYPES);
        all.put("subject_types_supported", List.of("public"));
        all.put("id_token_signing_alg_values_supported", List.of("RS256", "ES256"));
        var methods = List.of(ClientAuthenticator.BASIC, ClientAuthenticator.POST, Client.PRIVATE_KEY_JWT, Client.NONE);
        all.put("token_endpoint_auth_methods_supported", methods);
        all.put("introspection_endpoint_auth_methods_supported", methods.subList(0, 3));
        all.put("revocation_endpoint_auth_methods_supported", methods);
        for (var endpoint : List.of("token", "introspection", "revocation")) {
            all.put(endpoint + "_endpoint_auth_signing_alg_values_supported", SignedAssertion.ALGORITHMS);
        }
        all.put("dpop_signing_alg_values_supported", SignedAssertion.ALGORITHMS);
        all.put("code_challenge_methods_supported", List.of("S256"));
        all.put("prompt_values_supported", List.of("none", "login", "consent", "select_account", "create"));
        all.put("acr_values_supported", List.of("aal1", "aal2"));
        all.put("display_values_supported", List.of("page"));
        all.put("claim_types_supported", List.of("normal"));
        var claims =
                new java.util.ArrayList<>(List.of("iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "sid"));
        claims.addAll(StandardScopes.CLAIM_NAMES);
        all.put("claims_supported", claims);
        all.put("claims_parameter_supported", true);
        all.put("request_parameter_supported", false);
        all.put("request_uri_parameter_supported", false);
        all.put("ui_locales_supported", List.of("de", "en", "es", "fr", "ja", "ko", "pt", "zh"));
        all.put("client_id_metadata_document_supported", project.clientMetadataDocuments());
        all.put("authorization_response_iss_parameter_supported", true);
        return Reply.ok(all).withHeader("Cache-Control", CACHE_CONTROL).withHeader("Access-Control-Allow-Origin", "*");
    }
}
