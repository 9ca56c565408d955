package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class AuthorizationCodeIT {
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();

    AuthorizationCodeIT(TestServer server) {
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
    }

    private String spa() {
        return register(project, "spa", Map.of()).text("clientId");
    }

    private Response tokens(String client) {
        return redeem(project, client, browser.code(client, email, Map.of()), 200);
    }

    @Test
    void aSignInBringsAnIdTokenThatTheKeySetVerifies() throws Exception {
        var client = spa();
        browser.authorize(client, Map.of("nonce", "n-0S6"));
        var url = onward(browser.signIn(email));

        assertThat(url.toString()).startsWith(APP + "?code=");
        assertThat(parameter(url, "state")).isEqualTo("a state & more");
        var issuer = parameter(url, "iss");
        assertThat(issuer).endsWith("/v1/projects/" + project.id());
        var tokens = redeem(project, client, parameter(url, "code"), 200);
        assertThat(tokens.text("token_type")).isEqualTo("Bearer");
        var keys = JWKSet.parse(project.api()
                .get("/v1/projects/" + project.id() + "/.well-known/jwks.json")
                .expect(200)
                .body());
        var idToken = SignedJWT.parse(tokens.text("id_token"));
        assertThat(idToken.getHeader().getAlgorithm().getName()).isEqualTo("RS256");
        var key = keys.getKeyByKeyId(idToken.getHeader().getKeyID()).toRSAKey();
        assertThat(idToken.verify(new RSASSAVerifier(key))).isTrue();
        var claims = idToken.getJWTClaimsSet();
        assertThat(claims.getIssuer()).isEqualTo(issuer);
        assertThat(claims.getAudience()).containsExactly(client);
        assertThat(claims.getStringClaim("nonce")).isEqualTo("n-0S6");
        assertThat(claims.getStringClaim("email")).isEqualTo(email);
        assertThat(claims.getClaims()).containsKeys("auth_time", "acr", "amr", "at_hash", "sid", "azp", "exp", "iat");
        var accessToken = SignedJWT.parse(tokens.text("access_token"));
        assertThat(accessToken.getHeader().getType().getType()).isEqualTo("at+jwt");
        assertThat(accessToken.getJWTClaimsSet().getAudience()).doesNotContain(project.id());
        assertThat(userinfo(project, tokens.text("access_token"), 200).text("email"))
                .isEqualTo(email);
    }

    @Test
    void aSecondUseOfACodeEndsWhatTheFirstOneGot() {
        var client = spa();
        var code = browser.code(client, email, Map.of());
        var tokens = redeem(project, client, code, 200);
        userinfo(project, tokens.text("access_token"), 200);

        assertThat(redeem(project, client, code, 400).text("error")).isEqualTo("invalid_grant");

        userinfo(project, tokens.text("access_token"), 401);
        refresh(client, tokens.text("refresh_token"), 400);
    }

    @Test
    void ofManySimultaneousUsesOfACodeOneSucceedsAndItsGrantEnds() {
        var client = spa();
        var code = browser.code(client, email, Map.of());

        var answers = Parallel.send(
                50,
                number -> OauthBrowser.call(
                        project,
                        Map.of(
                                "grant_type", "authorization_code",
                                "client_id", client,
                                "code", code,
                                "redirect_uri", APP,
                                "code_verifier", OauthBrowser.VERIFIER)));

        var won = answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(won).hasSizeLessThanOrEqualTo(1);
        won.forEach(answer -> userinfo(project, answer.text("access_token"), 401));
    }

    private Response refresh(String client, String refreshToken, int status) {
        return token(project, refreshForm(client, refreshToken), status);
    }

    @Test
    void ofManyRefreshesAtOnceAllGetTheSameSuccessor() {
        var client = spa();
        var first = tokens(client).text("refresh_token");

        var answers = Parallel.send(60, number -> OauthBrowser.call(project, refreshForm(client, first)));

        assertThat(answers.stream().map(answer -> answer.text("refresh_token")).distinct())
                .hasSize(1)
                .doesNotContain(first);
    }

    @Test
    void anotherClientsRefreshTokenIsRefused() {
        var client = spa();
        var refreshToken = tokens(client).text("refresh_token");

        assertThat(refresh(spa(), refreshToken, 400).text("error")).isEqualTo("invalid_grant");
        refresh(client, refreshToken, 200);
    }

    @Test
    void aClientWithoutSecretNeedsPkce() {
        var url = onward(browser.authorize(spa(), Map.of("code_challenge", "", "code_challenge_method", "")));
        assertThat(parameter(url, "error")).isEqualTo("invalid_request");
        assertThat(parameter(url, "state")).isEqualTo("a state & more");
        var plain = onward(browser.authorize(spa(), Map.of("code_challenge_method", "plain")));
        assertThat(parameter(plain, "error")).isEqualTo("invalid_request");
    }

    @Test
    void aVerifierWithoutAChallengeIsADowngradeAndRefused() {
        var registered = register(project, "web", Map.of("requirePkce", false));
        var client = registered.text("clientId");
        var code = browser.code(client, email, Map.of("code_challenge", "", "code_challenge_method", ""));

        token(
                project,
                Map.of(
                        "grant_type",
                        "authorization_code",
                        "client_id",
                        client,
                        "client_secret",
                        registered.text("clientSecret"),
                        "code",
                        code,
                        "redirect_uri",
                        APP,
                        "code_verifier",
                        OauthBrowser.VERIFIER),
                400);
    }

    @Test
    void aClientWithASecretAuthenticatesByHeaderOrForm() {
        var registered = register(project, "web", Map.of());
        var client = registered.text("clientId");
        var secret = registered.text("clientSecret");
        var first = browser.code(client, email, Map.of());

        assertThat(redeem(project, client, first, 401).text("error")).isEqualTo("invalid_client");
        var form = Map.of(
                "grant_type",
                "authorization_code",
                "code",
                first,
                "redirect_uri",
                APP,
                "code_verifier",
                OauthBrowser.VERIFIER);
        project.api()
                .post("/v1/projects/" + project.id() + "/oauth/token")
                .header(
                        "Authorization",
                        "Basic "
                                + java.util.Base64.getEncoder()
                                        .encodeToString((client + ":" + secret)
                                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .raw("application/x-www-form-urlencoded", OauthBrowser.encode(form))
                .expect(200);
    }

    @Test
    void redirectUrisThatOnlyLookAlikeAreRefusedOnAPage() {
        var client = spa();
        for (var other : List.of(
                "https://app.example.com/callback/",
                "https://app.example.com/Callback",
                "https://app.example.com/callback?x=1",
                "https://app.example.com/callback#x",
                "https://app.example.com:8443/callback",
                "https://app.example.com//callback",
                "https://app.example.com/callback/../other",
                "https://app.example.com%2Fcallback",
                "https://user@app.example.com/callback",
                "https://app.example.com.evil.example/callback",
                "http://app.example.com/callback",
                "https://аpp.example.com/callback")) {
            var response = browser.authorize(client, Map.of("redirect_uri", other));
            assertThat(response.statusCode()).as(other).isEqualTo(400);
            assertThat(response.headers().firstValue("Location")).isEmpty();
            assertThat(response.body()).contains("redirect_uri");
        }
    }

    @Test
    void errorsReachTheClientAndNameTheIssuer() {
        var client = spa();
        for (var wrong : Map.of(
                        "response_type", "token",
                        "request", "e30.e30.",
                        "request_uri", "https://app.example.com/r",
                        "prompt", "none login",
                        "max_age", "x",
                        "resource", "https://unknown.example.com")
                .entrySet()) {
            var url = onward(browser.authorize(client, Map.of(wrong.getKey(), wrong.getValue())));
            assertThat(url.toString()).startsWith(APP + "?error=");
            assertThat(parameter(url, "iss")).endsWith(project.id());
            assertThat(parameter(url, "state")).isEqualTo("a state & more");
        }
    }

    @Test
    void repeatedParametersAreRefused() {
        var query = OauthBrowser.encode(OauthBrowser.request(spa(), Map.of()));
        assertThat(parameter(onward(browser.authorize(query + "&scope=openid")), "error"))
                .isEqualTo("invalid_request");
        assertThat(browser.authorize(query + "&client_id=x").statusCode()).isEqualTo(400);
    }

    @Test
    void aBrowserThatIsSignedInIsNotAskedAgain() {
        tokens(spa());
        var another = spa();

        var url = onward(browser.authorize(another, Map.of("prompt", "none")));

        redeem(project, another, parameter(url, "code"), 200);
    }

    @Test
    void promptNoneSaysWhatIsMissing() {
        assertThat(parameter(onward(browser.authorize(spa(), Map.of("prompt", "none"))), "error"))
                .isEqualTo("login_required");
        tokens(spa());
        var third = register(project, "spa", Map.of("firstParty", false)).text("clientId");
        assertThat(parameter(onward(browser.authorize(third, Map.of("prompt", "none"))), "error"))
                .isEqualTo("consent_required");
        assertThat(parameter(onward(browser.authorize(spa(), Map.of("prompt", "none", "max_age", "0"))), "error"))
                .isEqualTo("login_required");
        assertThat(parameter(onward(browser.authorize(spa(), Map.of("prompt", "none", "max_age", "10000"))), "code"))
                .isNotEmpty();
    }

    @Test
    void aThirdPartyAsksOnceAndAgainForMore() {
        var third = register(project, "spa", Map.of("firstParty", false)).text("clientId");
        browser.authorize(third, Map.of());
        assertThat(browser.signIn(email).body()).contains("Allow access", "Shop", email, "app.example.com");

        var allowed = browser.submit("consent", Map.of("decision", "allow"));

        redeem(project, third, parameter(onward(allowed), "code"), 200);
        assertThat(parameter(onward(browser.authorize(third, Map.of())), "code"))
                .isNotEmpty();
        assertThat(browser.authorize(third, Map.of("scope", "openid email phone"))
                        .body())
                .contains("See your phone number");
        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "deny"))), "error"))
                .isEqualTo("access_denied");
    }

    @Test
    void consentOfAnotherSiteOrClickedTwiceGetsNothing() {
        var third = register(project, "spa", Map.of("firstParty", false)).text("clientId");
        browser.authorize(third, Map.of());
        browser.signIn(email);
        var forged = browser.submit("consent", Map.of("decision", "allow", "formToken", "x".repeat(43)));
        assertThat(forged.body()).doesNotContain("code=");

        browser.authorize(third, Map.of());
        var page = browser.page();
        var first = browser.submit("consent", Map.of("decision", "allow"));
        assertThat(parameter(onward(first), "code")).isNotEmpty();
        assertThat(page).contains("decision");
    }

    @Test
    void theAnswerCanBeAForm() {
        var client = spa();
        browser.authorize(client, Map.of("response_mode", "form_post"));
        var form = browser.signIn(email);

        assertThat(form.statusCode()).isEqualTo(200);
        assertThat(form.body()).contains("action=\"" + APP + "\"", "name=\"code\"", "name=\"iss\"", "<button>");
        assertThat(form.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("script-src 'nonce-");
        var error = browser.authorize(client, Map.of("response_mode", "form_post", "response_type", "token"));
        assertThat(error.body()).contains("unsupported_response_type", "a state &amp; more");
    }

    @Test
    void aRevocationIsSeenAtOnce() {
        var client = spa();
        var tokens = tokens(client);

        OauthBrowser.post(
                project, "/oauth/revoke", Map.of("client_id", client, "token", tokens.text("access_token")), 200);

        userinfo(project, tokens.text("access_token"), 401);
        refresh(client, tokens.text("refresh_token"), 400);
        OauthBrowser.post(project, "/oauth/revoke", Map.of("client_id", client, "token", "unknown"), 200);
    }

    @Test
    void whatEndsTheSessionTheUserOrTheClientEndsTheTokens() {
        var client = spa();
        var tokens = tokens(client).text("access_token");
        var user = userinfo(project, tokens, 200).text("sub");
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        userinfo(project, tokens, 401);

        var again = tokens(client).text("access_token");
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                .json(Map.of())
                .expect(200);
        userinfo(project, again, 401);
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/unban").expect(200);

        var last = tokens(client).text("access_token");
        project.asOwner("DELETE", "/oauth-clients/" + client).expect(200);
        userinfo(project, last, 401);
    }

    @Test
    void firstPartyRoutesAndTheAuthorizationServerRefuseEachOthersTokens() {
        var tokens = tokens(spa()).text("access_token");
        project.me(tokens).expect(401);
        userinfo(project, project.signIn(email).accessToken(), 401);
    }

    @Test
    void anotherProjectsTokenIsRefused(TestServer server) {
        var tokens = tokens(spa()).text("access_token");
        userinfo(server.newProject(), tokens, 401);
    }

    @Test
    void anApiAsksAboutItsTokensAndAStrangerLearnsNothing() {
        var api = "https://api.example.com/v1";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", api, "name", "Orders", "scopes", List.of(Map.of("name", "orders:read"))))
                .expect(201);
        var client = spa();
        var tokens = redeem(
                project,
                client,
                browser.code(client, email, Map.of("resource", api, "scope", "orders:read unknown")),
                200);
        assertThat(tokens.text("scope")).isEqualTo("orders:read");
        var own = register(project, "api", Map.of("resource", api));
        var stranger = register(project, "api", Map.of("resource", "https://other.example.com"));

        assertThat(introspect(own, tokens).text("active")).isEqualTo("true");
        assertThat(introspect(own, tokens).text("aud")).isEqualTo(api);
        assertThat(introspect(stranger, tokens).json().size()).isEqualTo(1);

        project.asOwner("DELETE", "/oauth-clients/" + client).expect(200);
        assertThat(introspect(own, tokens).text("active")).isEqualTo("false");
    }

    private Response introspect(Response api, Response tokens) {
        return OauthBrowser.post(
                project,
                "/oauth/introspect",
                Map.of(
                        "client_id", api.text("clientId"),
                        "client_secret", api.text("clientSecret"),
                        "token", tokens.text("access_token")),
                200);
    }

    @Test
    void aResourceIsNarrowedAndNeverWidened() {
        for (var uri : List.of("https://a.example.com/", "https://b.example.com/", "https://c.example.com/")) {
            project.asOwner("POST", "/oauth-apis")
                    .json(Map.of("uri", uri, "name", "API", "scopes", List.of()))
                    .expect(201);
        }
        var client = spa();
        var query = OauthBrowser.encode(OauthBrowser.request(client, Map.of("resource", "https://a.example.com")))
                + "&resource=https://b.example.com/";
        browser.authorize(query);
        var tokens = redeem(project, client, parameter(onward(browser.signIn(email)), "code"), 200);
        var form = refreshForm(client, tokens.text("refresh_token"));

        var wide = new java.util.HashMap<>(form);
        wide.put("resource", "https://c.example.com/");
        assertThat(token(project, wide, 400).text("error")).isEqualTo("invalid_target");
        var narrow = new java.util.HashMap<>(form);
        narrow.put("resource", "https://b.example.com/");
        var narrowed = token(project, narrow, 200).text("access_token");
        assertThat(audience(narrowed)).containsExactly("https://b.example.com/");
    }

    private static List<String> audience(String token) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet().getAudience();
        } catch (java.text.ParseException malformed) {
            throw new AssertionError(malformed);
        }
    }

    @Test
    void aServiceGetsTokensOnItsOwn() {
        var api = "https://api.example.com/v1";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of(
                        "uri",
                        api,
                        "name",
                        "Orders",
                        "scopes",
                        List.of(Map.of("name", "orders:read"), Map.of("name", "orders:write"))))
                .expect(201);
        var service = register(project, "service", Map.of("apiScopes", Map.of(api, List.of("orders:read"))));
        var form = new java.util.HashMap<>(Map.of(
                "grant_type", "client_credentials",
                "client_id", service.text("clientId"),
                "client_secret", service.text("clientSecret")));

        var tokens = token(project, form, 200);
        assertThat(tokens.text("scope")).isEqualTo("orders:read");
        assertThat(tokens.json().has("refresh_token")).isFalse();
        assertThat(audience(tokens.text("access_token"))).containsExactly(api);
        form.put("scope", "orders:write");
        assertThat(token(project, form, 400).text("error")).isEqualTo("invalid_scope");
    }
}
