package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The modules of the OpenID Foundation's certification plans Basic, Form Post and Config, each by its name there. As in
 * those plans, the client has a secret and no PKCE, and form post repeats all modules of Basic with another response
 * mode. {@link AuthorizationCodeIT} and {@link OddInputIT} have what the plans do not ask.
 */
@ExtendWith(WithServer.class)
class CertificationIT {
    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();
    private final Response client;
    private final String clientId;

    CertificationIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
        server.sql()
                .update(
                        "UPDATE users SET display_name = 'Ann', phone = ?, phone_verified = true WHERE email = ?",
                        "+1202555" + (1000 + (int) (Math.abs((long) email.hashCode()) % 9000)),
                        email);
        client = register(project, "web", Map.of("requirePkce", false));
        clientId = client.text("clientId");
    }

    private HttpResponse<String> authorize(String mode, Map<String, String> more) {
        return browser.authorize(clientId, parameters(mode, more));
    }

    private static Map<String, String> parameters(String mode, Map<String, String> more) {
        var all = new HashMap<>(Map.of(
                "response_mode", mode,
                "code_challenge", "",
                "code_challenge_method", "",
                "scope", "openid",
                "nonce", "the nonce"));
        all.putAll(more);
        return all;
    }

    /** The parameters that the client receives, in the way that it asked for. */
    private Map<String, String> answer(String mode, HttpResponse<String> response) {
        var answer = OauthBrowser.answer(response);
        assertThat(response.body().contains("method=\"post\" id=\"onward\"")).isEqualTo(mode.equals("form_post"));
        assertThat(answer)
                .containsEntry("state", "a state & more")
                .containsEntry("iss", "https://auth.example.com" + issuerPath(project));
        return answer;
    }

    private Map<String, String> signIn(String mode, Map<String, String> more) {
        authorize(mode, more);
        return answer(mode, browser.signIn(email));
    }

    private static boolean isSignIn(HttpResponse<String> page) {
        return page.statusCode() == 200 && page.body().contains("name=\"password\"");
    }

    private Map<String, String> exchange(String code) {
        return new HashMap<>(Map.of(
                "grant_type", "authorization_code",
                "client_id", clientId,
                "client_secret", client.text("clientSecret"),
                "code", code,
                "redirect_uri", APP));
    }

    private Response redeem(Map<String, String> answer) {
        assertThat(answer).containsKey("code").doesNotContainKey("error");
        return token(project, exchange(answer.getOrDefault("code", "")), 200);
    }

    private static JsonNode idToken(Response tokens) {
        return Jwt.parse(tokens.text("id_token")).claims();
    }

    private JsonNode claims(String mode, Map<String, String> more) {
        var tokens = redeem(signIn(mode, more));
        var claims = userinfo(project, tokens.text("access_token"), 200).json();
        assertThat(claims.path("sub")).isEqualTo(idToken(tokens).path("sub"));
        return claims;
    }

    @ParameterizedTest(name = "oidcc-server, oidcc-server-client-secret-post, oidcc-idtoken-signature by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aCodeBringsTokens(String mode) {
        var tokens = redeem(signIn(mode, Map.of()));
        assertThat(Jwt.parse(tokens.text("id_token")).header().path("alg").asText())
                .isEqualTo("RS256");
        assertThat(idToken(tokens).path("aud").asText()).isEqualTo(clientId);
        assertThat(idToken(tokens).path("nonce").asText()).isEqualTo("the nonce");
        assertThat(tokens.header("Cache-Control")).contains("no-store");
    }

    @ParameterizedTest(name = "oidcc-response-type-missing by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aResponseTypeIsNeeded(String mode) {
        assertThat(answer(mode, authorize(mode, Map.of("response_type", ""))))
                .containsEntry("error", "invalid_request");
        assertThat(answer(mode, authorize(mode, Map.of("response_type", "code id_token"))))
                .containsEntry("error", "unsupported_response_type");
    }

    @Test // oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body
    void userinfoTakesTheTokenInThreeWays() {
        var token = redeem(signIn("query", Map.of())).text("access_token");
        var path = issuerPath(project) + "/oauth/userinfo";
        var get = userinfo(project, token, 200);
        assertThat(get.header("Content-Type")).hasValue("application/json");
        assertThat(project.api().post(path).bearer(token).expect(200).json()).isEqualTo(get.json());
        assertThat(OauthBrowser.post(project, "/oauth/userinfo", Map.of("access_token", token), 200)
                        .json())
                .isEqualTo(get.json());
        assertThat(project.api()
                        .post(path)
                        .bearer(token)
                        .raw("application/x-www-form-urlencoded", "access_token=" + token)
                        .expect(400)
                        .text("error"))
                .isEqualTo("invalid_request");
        assertThat(project.api().get(path).expect(401).header("WWW-Authenticate"))
                .hasValue("Bearer");
        assertThat(project.api().get(path + "?access_token=" + token).send().status())
                .isEqualTo(401);
    }

    @ParameterizedTest(name = "oidcc-ensure-request-without-nonce-succeeds-for-code-flow by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aNonceCanBeMissing(String mode) {
        assertThat(idToken(redeem(signIn(mode, Map.of("nonce", "")))).has("nonce"))
                .isFalse();
    }

    @ParameterizedTest(name = "oidcc-scope-* by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void scopesBringTheirClaims(String mode) {
        assertThat(claims(mode, Map.of("scope", "openid", "prompt", "login")).size())
                .isEqualTo(1);
        var profile = claims(mode, Map.of("scope", "openid profile", "prompt", "login"));
        assertThat(profile.path("name").asText()).isEqualTo("Ann");
        assertThat(profile.path("updated_at").isIntegralNumber()).isTrue();
        var ofEmail = claims(mode, Map.of("scope", "openid email", "prompt", "login"));
        assertThat(ofEmail.path("email").asText()).isEqualTo(email);
        assertThat(ofEmail.path("email_verified").isBoolean()).isTrue();
        claims(mode, Map.of("scope", "openid address", "prompt", "login"));
        var phone = claims(mode, Map.of("scope", "openid phone", "prompt", "login"));
        assertThat(phone.path("phone_number").asText()).startsWith("+1");
        assertThat(phone.path("phone_number_verified").isBoolean()).isTrue();
        var all = claims(mode, Map.of("scope", "openid profile email address phone", "prompt", "login"));
        assertThat(all.has("name") && all.has("email") && all.has("phone_number"))
                .isTrue();
        // oidcc-ensure-other-scope-order-succeeds
        claims(mode, Map.of("scope", "email openid", "prompt", "login"));
    }

    @ParameterizedTest(name = "oidcc-display-page, oidcc-display-popup and others that change nothing, by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void optionalWishesOfAClientChangeNothing(String mode) {
        for (var wish : List.of(
                Map.of("display", "page"),
                Map.of("display", "popup"),
                Map.of("extra", "foobar"), // oidcc-ensure-request-with-unknown-parameter-succeeds
                Map.of("login_hint", email), // oidcc-login-hint
                Map.of("login_hint", "nobody@example.com"),
                Map.of("ui_locales", "se"), // oidcc-ui-locales
                Map.of("ui_locales", "de en-GB"),
                Map.of("claims_locales", "se"), // oidcc-claims-locales
                Map.of("acr_values", "urn:mace:incommon:iap:silver aal1"))) { // oidcc-…-acr-values-succeeds
            var more = new HashMap<>(wish);
            more.put("prompt", "login");
            var idToken = idToken(redeem(signIn(mode, more)));
            assertThat(idToken.path("acr").asText()).isEqualTo("aal1");
        }
    }

    @ParameterizedTest(name = "oidcc-prompt-login by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void promptLoginSignsInAgain(String mode) {
        var first = idToken(redeem(signIn(mode, Map.of())));
        ageSessions();
        assertThat(isSignIn(authorize(mode, Map.of("prompt", "login")))).isTrue();
        var second = idToken(redeem(answer(mode, browser.signIn(email))));
        assertThat(second.path("sub")).isEqualTo(first.path("sub"));
        assertThat(second.path("auth_time").asLong())
                .isGreaterThanOrEqualTo(first.path("auth_time").asLong());
    }

    /** As if two seconds went by. */
    private void ageSessions() {
        server.sql()
                .update(
                        "UPDATE sessions SET authenticated_at = authenticated_at - interval '2 seconds'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
    }

    @ParameterizedTest(name = "oidcc-prompt-none-not-logged-in, oidcc-prompt-none-logged-in by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void promptNoneShowsNoPage(String mode) {
        var silent = Map.of("prompt", "none");
        assertThat(answer(mode, authorize(mode, silent))).containsEntry("error", "login_required");
        var first = idToken(redeem(signIn(mode, Map.of())));
        var second = idToken(redeem(answer(mode, authorize(mode, silent))));
        for (var same : List.of("sub", "auth_time", "sid", "acr")) {
            assertThat(second.path(same)).as(same).isEqualTo(first.path(same));
        }
    }

    @ParameterizedTest(name = "oidcc-max-age-1, oidcc-max-age-10000 by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void maxAgeIsHeldAgainstTheSignIn(String mode) {
        var first = idToken(redeem(signIn(mode, Map.of())));
        var long10000 = idToken(redeem(answer(mode, authorize(mode, Map.of("max_age", "10000")))));
        assertThat(long10000.path("auth_time")).isEqualTo(first.path("auth_time"));
        ageSessions();
        assertThat(isSignIn(authorize(mode, Map.of("max_age", "1")))).isTrue();
        var second = idToken(redeem(answer(mode, browser.signIn(email))));
        assertThat(second.path("iat").asLong() - second.path("auth_time").asLong())
                .isLessThanOrEqualTo(1);
    }

    @ParameterizedTest(name = "oidcc-id-token-hint by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void theHintedUserIsTaken(String mode) {
        var tokens = redeem(signIn(mode, Map.of()));
        var hint = Map.of("id_token_hint", tokens.text("id_token"), "prompt", "none");
        var again = idToken(redeem(answer(mode, authorize(mode, hint))));
        assertThat(again.path("sub")).isEqualTo(idToken(tokens).path("sub"));
        var other = TestServer.newEmail();
        project.signUp(other);
        authorize(mode, Map.of("prompt", "login"));
        browser.signIn(other);
        assertThat(answer(mode, authorize(mode, hint))).containsEntry("error", "login_required");
    }

    @ParameterizedTest(name = "oidcc-codereuse, oidcc-codereuse-30seconds by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aCodeIsForOneUse(String mode) {
        for (var seconds : List.of(0, 30)) {
            var code = signIn(mode, Map.of("prompt", "login")).getOrDefault("code", "");
            var tokens = token(project, exchange(code), 200);
            server.sql()
                    .update(
                            "UPDATE oauth_grants SET code_used_at = code_used_at - ? * interval '1 second',"
                                    + " code_expires_at = code_expires_at - ? * interval '1 second'"
                                    + " WHERE project_id = ?::uuid",
                            seconds,
                            seconds,
                            project.id());
            assertThat(token(project, exchange(code), 400).text("error")).isEqualTo("invalid_grant");
            userinfo(project, tokens.text("access_token"), 401);
        }
    }

    @ParameterizedTest(name = "oidcc-ensure-registered-redirect-uri by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void anUnknownRedirectUriIsAnErrorForThePerson(String mode) {
        for (var wrong : List.of(APP + "/x", "")) {
            var page = authorize(mode, Map.of("redirect_uri", wrong));
            assertThat(page.statusCode()).isEqualTo(400);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        }
    }

    @ParameterizedTest(name = "oidcc-ensure-post-request-succeeds by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aRequestCanBePosted(String mode) {
        browser.follow(browser.post(
                issuerPath(project) + "/oauth/authorize", OauthBrowser.request(clientId, parameters(mode, Map.of()))));
        redeem(answer(mode, browser.signIn(email)));
    }

    @ParameterizedTest(name = "oidcc-unsigned-request-object-…, oidcc-ensure-request-object-with-redirect-uri by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void requestObjectsAreRefused(String mode) {
        assertThat(answer(mode, authorize(mode, Map.of("request", "eyJhbGciOiJub25lIn0.e30."))))
                .containsEntry("error", "request_not_supported");
        assertThat(answer(mode, authorize(mode, Map.of("request_uri", "https://app.example.com/r"))))
                .containsEntry("error", "request_uri_not_supported");
    }

    @ParameterizedTest(name = "oidcc-claims-essential by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void claimsCanBeAskedForByName(String mode) {
        var asked = Map.of("claims", "{\"userinfo\":{\"name\":{\"essential\":true}}}");
        assertThat(claims(mode, asked).path("name").asText()).isEqualTo("Ann");
    }

    @ParameterizedTest(name = "oidcc-refresh-token by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aRefreshBringsTheSameSignIn(String mode) {
        var first = redeem(signIn(mode, Map.of("scope", "openid offline_access")));
        var refresh = Map.of(
                "grant_type",
                "refresh_token",
                "client_id",
                clientId,
                "client_secret",
                client.text("clientSecret"),
                "refresh_token",
                first.text("refresh_token"));
        var second = token(project, refresh, 200);
        for (var same : List.of("iss", "sub", "aud", "auth_time", "azp")) {
            assertThat(idToken(second).path(same))
                    .as(same)
                    .isEqualTo(idToken(first).path(same));
        }
        assertThat(second.text("access_token")).isNotEqualTo(first.text("access_token"));
        userinfo(project, second.text("access_token"), 200);
    }

    @ParameterizedTest(name = "oidcc-ensure-request-with-valid-pkce-succeeds by {0}")
    @ValueSource(strings = {"query", "form_post"})
    void aClientWithASecretCanUsePkce(String mode) {
        var code = signIn(mode, Map.of("code_challenge", OauthBrowser.CHALLENGE, "code_challenge_method", "S256"))
                .getOrDefault("code", "");
        var form = exchange(code);
        form.put("code_verifier", OauthBrowser.VERIFIER);
        token(project, form, 200);
    }

    /** Many applications never ask userinfo, and some have no room for more in a cookie. */
    @Test
    void aClientCanHaveAnIdTokenWithoutTheClaimsOfTheUser() {
        var scopes = Map.of("scope", "openid email", "prompt", "login");
        assertThat(idToken(redeem(signIn("query", scopes))).path("email").asText())
                .isEqualTo(email);
        project.asOwner("PATCH", "/oauth-clients/" + clientId)
                .json(Map.of("claimsInIdToken", false))
                .expect(200);
        var tokens = redeem(signIn("query", scopes));
        assertThat(idToken(tokens).has("email")).isFalse();
        assertThat(userinfo(project, tokens.text("access_token"), 200).text("email"))
                .isEqualTo(email);
    }

    // also oidcc-rp-initiated-logout-… and oidcc-backchannel-logout-discovery-endpoint-verification
    @Test // oidcc-discovery-endpoint-verification
    void discoverySaysWhatThereIs() {
        var path = issuerPath(project);
        var found =
                project.api().get(path + "/.well-known/openid-configuration").expect(200);
        var issuer = "https://auth.example.com" + path;
        assertThat(found.text("issuer")).isEqualTo(issuer);
        assertThat(found.header("Content-Type")).hasValue("application/json");
        assertThat(found.header("Access-Control-Allow-Origin")).hasValue("*");
        assertThat(found.header("Cache-Control")).hasValue("public, max-age=300");
        for (var endpoint : List.of("authorization", "token", "userinfo", "introspection", "revocation")) {
            assertThat(found.text(endpoint + "_endpoint")).startsWith(issuer + "/oauth/");
        }
        assertThat(found.text("jwks_uri")).startsWith(issuer);
        assertThat(texts(found, "response_types_supported")).containsExactly("code");
        assertThat(texts(found, "subject_types_supported")).containsExactly("public");
        assertThat(texts(found, "id_token_signing_alg_values_supported")).contains("RS256");
        assertThat(texts(found, "scopes_supported")).contains("openid", "offline_access");
        assertThat(texts(found, "code_challenge_methods_supported")).containsExactly("S256");
        assertThat(texts(found, "response_modes_supported")).contains("query", "form_post");
        assertThat(texts(found, "token_endpoint_auth_methods_supported"))
                .contains("client_secret_basic", "client_secret_post", "none");
        assertThat(texts(found, "claims_supported")).contains("sub", "email", "auth_time", "acr");
        assertThat(texts(found, "prompt_values_supported")).contains("none", "login", "consent", "create");
        assertThat(found.text("request_parameter_supported")).isEqualTo("false");
        assertThat(found.text("request_uri_parameter_supported")).isEqualTo("false");
        assertThat(found.text("claims_parameter_supported")).isEqualTo("true");
        assertThat(found.text("authorization_response_iss_parameter_supported")).isEqualTo("true");
        assertThat(found.text("client_id_metadata_document_supported")).isEqualTo("true");
        assertThat(found.text("end_session_endpoint")).isEqualTo(issuer + "/oauth/logout");
        assertThat(found.text("backchannel_logout_supported")).isEqualTo("true");
        assertThat(found.text("backchannel_logout_session_supported")).isEqualTo("true");
        assertThat(texts(found, "acr_values_supported")).contains("aal1", "aal2");
        for (var same : List.of(
                path + "/.well-known/oauth-authorization-server",
                "/.well-known/oauth-authorization-server" + path,
                "/.well-known/openid-configuration" + path)) {
            assertThat(browser.get(same).body()).isEqualTo(found.body());
        }
        redeem(signIn("query", Map.of()));
        var keys = project.api()
                .get(path + "/.well-known/jwks.json")
                .expect(200)
                .json()
                .path("keys");
        assertThat(keys.findValuesAsText("kty")).contains("RSA", "EC");
        assertThat(keys.findValuesAsText("kid")).doesNotHaveDuplicates();
        assertThat(keys.findValues("d")).isEmpty();
    }

    private static List<String> texts(Response found, String name) {
        var texts = new ArrayList<String>();
        found.json().path(name).forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
