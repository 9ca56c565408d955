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

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Codes and refresh tokens in wrong hands, at a wrong time, and several times. */
@ExtendWith(WithServer.class)
class TokenEndpointIT {
    private static final String ORDERS = "https://orders.example.com/";
    private static final String STOCK = "https://stock.example.com/";

    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();

    TokenEndpointIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
    }

    private String spa() {
        return register(project, "spa", Map.of()).text("clientId");
    }

    private static Map<String, String> exchange(String client, String code, Map<String, String> more) {
        var form = new HashMap<>(Map.of(
                "grant_type", "authorization_code",
                "client_id", client,
                "code", code,
                "redirect_uri", APP,
                "code_verifier", OauthBrowser.VERIFIER));
        form.putAll(more);
        form.values().removeIf(String::isEmpty);
        return form;
    }

    private static Map<String, String> refresh(String client, String refreshToken, Map<String, String> more) {
        var form = new HashMap<>(refreshForm(client, refreshToken));
        form.putAll(more);
        return form;
    }

    private void isRefused(Map<String, String> form) {
        assertThat(token(project, form, 400).text("error")).isEqualTo("invalid_grant");
    }

    private void addApi(String uri, String... scopes) {
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of(
                        "uri",
                        uri,
                        "name",
                        "API",
                        "scopes",
                        Arrays.stream(scopes)
                                .map(scope -> Map.of("name", scope))
                                .toList()))
                .expect(201);
    }

    @Test
    void aCodeIsRefusedUnlessAllParametersOfItsRequestMatch() {
        var client = spa();
        for (var wrong : List.of(
                Map.of("client_id", spa()),
                Map.of("code_verifier", "x".repeat(43)),
                Map.of("code_verifier", OauthBrowser.CHALLENGE),
                Map.of("code_verifier", ""),
                Map.of("redirect_uri", APP + "/"),
                Map.of("redirect_uri", "https://evil.example.com/"))) {
            var code = browser.code(client, email, Map.of("prompt", "login"));
            isRefused(exchange(client, code, wrong));
            isRefused(exchange(client, code, Map.of())); // somebody has it who should not
        }
    }

    @Test
    void anotherProjectKnowsNeitherTheCodeNorTheTokensNorTheClients() {
        var client = spa();
        var code = browser.code(client, email, Map.of());
        var other = server.newProject();
        var there = register(other, "spa", Map.of()).text("clientId");
        assertThat(token(other, exchange(there, code, Map.of()), 400).text("error"))
                .isEqualTo("invalid_grant");
        assertThat(token(other, exchange(client, code, Map.of()), 401).text("error"))
                .isEqualTo("invalid_client");

        var tokens = redeem(project, client, code, 200);
        token(other, refresh(there, tokens.text("refresh_token"), Map.of()), 400);
        var api = register(other, "api", Map.of("resource", ORDERS));
        for (var text : List.of(tokens.text("access_token"), tokens.text("refresh_token"))) {
            assertThat(OauthBrowser.post(
                                    other,
                                    "/oauth/introspect",
                                    Map.of(
                                            "client_id",
                                            api.text("clientId"),
                                            "client_secret",
                                            api.text("clientSecret"),
                                            "token",
                                            text),
                                    200)
                            .json()
                            .toString())
                    .isEqualTo("{\"active\":false}");
            OauthBrowser.post(other, "/oauth/revoke", Map.of("client_id", there, "token", text), 200);
        }
        userinfo(project, tokens.text("access_token"), 200);
    }

    @Test
    void aCodeEndsWithItsMinuteItsSessionItsUserAndItsClient() {
        var client = spa();
        var user = project.signIn(email).text("user/id");
        var late = browser.code(client, email, Map.of());
        server.sql()
                .update(
                        "UPDATE oauth_grants SET code_expires_at = code_expires_at - interval '60 seconds'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        isRefused(exchange(client, late, Map.of()));

        var ofSession = browser.code(client, email, Map.of("prompt", "login"));
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        isRefused(exchange(client, ofSession, Map.of()));

        var ofBanned = browser.code(client, email, Map.of("prompt", "login"));
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                .json(Map.of())
                .expect(200);
        isRefused(exchange(client, ofBanned, Map.of()));
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/unban").expect(200);

        var ofClient = browser.code(client, email, Map.of("prompt", "login"));
        project.asOwner("DELETE", "/oauth-clients/" + client).expect(200);
        isRefused(exchange(spa(), ofClient, Map.of()));
    }

    private void assertLifetime(Response tokens, int seconds) {
        var claims = Jwt.parse(tokens.text("access_token")).claims();
        assertThat(claims.path("exp").asInt() - claims.path("iat").asInt()).isBetween(seconds - 30, seconds);
        assertThat(tokens.json().path("expires_in").asInt()).isBetween(seconds - 30, seconds);
    }

    /** Whoever verifies tokens on their own trusts their expiry, and is not told of a session that expires. */
    @Test
    void anAccessTokenOutlivesNeitherItsSessionNorItsGrant() {
        var client = spa();
        var ending = "UPDATE sessions SET expires_at = now() + interval '%s seconds' WHERE project_id = ?::uuid";
        for (var offline : List.of(false, true)) {
            var scope = Map.of("prompt", "login", "scope", offline ? "openid offline_access" : "openid");
            var code = browser.code(client, email, scope);
            server.sql().update(ending.formatted(300), project.id());
            var tokens = redeem(project, client, code, 200);
            assertLifetime(tokens, offline ? 900 : 300);
            server.sql().update(ending.formatted(200), project.id());
            assertLifetime(token(project, refreshForm(client, tokens.text("refresh_token")), 200), offline ? 900 : 200);
        }

        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("refreshTokenTtl", 400)))
                .expect(200);
        var code = browser.code(client, email, Map.of("prompt", "login", "scope", "openid offline_access"));
        assertLifetime(redeem(project, client, code, 200), 400);
    }

    @Test
    void aReplacedRefreshTokenThatComesAgainLaterEndsTheGrant() {
        var client = spa();
        var first = redeem(project, client, browser.code(client, email, Map.of()), 200)
                .text("refresh_token");
        var second = token(project, refresh(client, first, Map.of()), 200);
        assertThat(token(project, refresh(client, first, Map.of()), 200).text("refresh_token"))
                .isEqualTo(second.text("refresh_token"));
        server.sql()
                .update(
                        "UPDATE oauth_grants SET rotated_at = rotated_at - interval '1 hour' WHERE project_id = ?::uuid",
                        project.id());

        isRefused(refresh(client, first, Map.of()));

        isRefused(refresh(client, second.text("refresh_token"), Map.of()));
        userinfo(project, second.text("access_token"), 401);
    }

    @Test
    void anOldGenerationEndsTheGrantAtOnce() {
        var client = spa();
        var first = redeem(project, client, browser.code(client, email, Map.of()), 200)
                .text("refresh_token");
        var second = token(project, refresh(client, first, Map.of()), 200).text("refresh_token");
        var third = token(project, refresh(client, second, Map.of()), 200);

        isRefused(refresh(client, first, Map.of()));

        isRefused(refresh(client, third.text("refresh_token"), Map.of()));
    }

    @Test
    void aRevocationDuringRefreshesLeavesNothingAlive() {
        var client = spa();
        var tokens = redeem(project, client, browser.code(client, email, Map.of()), 200);
        var refreshToken = tokens.text("refresh_token");

        var answers = Parallel.send(
                40,
                number -> number == 20
                        ? project.api()
                                .post(OauthBrowser.issuerPath(project) + "/oauth/revoke")
                                .raw(
                                        "application/x-www-form-urlencoded",
                                        OauthBrowser.encode(Map.of("client_id", client, "token", refreshToken)))
                        : OauthBrowser.call(project, refresh(client, refreshToken, Map.of())));

        assertThat(answers.get(20).status()).isEqualTo(200);
        answers.stream().filter(answer -> answer.json().has("access_token")).forEach(answer -> {
            userinfo(project, answer.text("access_token"), 401);
            isRefused(refresh(client, answer.text("refresh_token"), Map.of()));
        });
    }

    @Test
    void aResourceIsNotWidenedWithTheCode() {
        addApi(ORDERS, "read", "write");
        addApi(STOCK, "read");
        var client = spa();
        var code = browser.code(client, email, Map.of("resource", ORDERS, "scope", "read"));

        assertThat(token(project, exchange(client, code, Map.of("resource", STOCK)), 400)
                        .text("error"))
                .isEqualTo("invalid_target");
    }

    /** A root is the same with and without its slash. */
    @Test
    void anApiThatIsNamedTwiceIsOne() {
        addApi(ORDERS, "read");
        var client = spa();
        browser.authorize(OauthBrowser.encode(OauthBrowser.request(client, Map.of("resource", ORDERS, "scope", "read")))
                + "&resource=https://orders.example.com");
        var code = parameter(onward(browser.signIn(email)), "code");
        var form = OauthBrowser.encode(exchange(client, code, Map.of("resource", ORDERS)));
        var tokens = project.api()
                .post(OauthBrowser.issuerPath(project) + "/oauth/token")
                .raw("application/x-www-form-urlencoded", form + "&resource=https://orders.example.com")
                .expect(200);
        assertThat(Jwt.parse(tokens.text("access_token")).claims().path("aud").asText())
                .isEqualTo(ORDERS);
    }

    @Test
    void aTokenHasOnlyTheScopesThatItsApiHasNow() {
        addApi(ORDERS, "orders");
        addApi(STOCK, "stock");
        var client = spa();
        browser.authorize(OauthBrowser.encode(
                        OauthBrowser.request(client, Map.of("resource", ORDERS, "scope", "openid orders stock email")))
                + "&resource=" + STOCK);
        var code = parameter(onward(browser.signIn(email)), "code");
        var narrow = token(project, exchange(client, code, Map.of("resource", STOCK)), 200);
        assertThat(narrow.text("scope").split(" ")).containsExactlyInAnyOrder("openid", "stock", "email");

        var api = project.asOwner("GET", "/oauth-apis").expect(200).json().path("apis");
        var id = api.get(0).path("uri").asText().equals(ORDERS)
                ? api.get(0).path("id").asText()
                : api.get(1).path("id").asText();
        project.asOwner("PUT", "/oauth-apis/" + id)
                .json(Map.of("uri", ORDERS, "name", "API", "scopes", List.of()))
                .expect(200);
        assertThat(token(project, refresh(client, narrow.text("refresh_token"), Map.of()), 200)
                        .text("scope"))
                .doesNotContain("orders");
    }

    @Test
    void aNarrowerRefreshBringsANarrowerIdToken() {
        var client = spa();
        var tokens = redeem(project, client, browser.code(client, email, Map.of()), 200);
        assertThat(Jwt.parse(tokens.text("id_token")).claims().has("email")).isTrue();

        var narrow = token(project, refresh(client, tokens.text("refresh_token"), Map.of("scope", "openid")), 200);
        assertThat(Jwt.parse(narrow.text("id_token")).claims().has("email")).isFalse();
        assertThat(userinfo(project, narrow.text("access_token"), 200).json().has("email"))
                .isFalse();
        var none = token(project, refresh(client, narrow.text("refresh_token"), Map.of("scope", "email")), 200);
        assertThat(none.json().has("id_token")).isFalse();
        userinfo(project, none.text("access_token"), 403);
        assertThat(token(project, refresh(client, none.text("refresh_token"), Map.of("scope", "openid phone")), 400)
                        .text("error"))
                .isEqualTo("invalid_scope");
    }

    /** Both APIs would honour the scope of a token that is for both. */
    @Test
    void aServiceGetsAScopeOfTwoApisOnlyIfBothGrantIt() {
        addApi(ORDERS, "read", "list");
        addApi(STOCK, "read");
        var service = register(
                project, "service", Map.of("apiScopes", Map.of(ORDERS, List.of("read", "list"), STOCK, List.of())));
        var form = new HashMap<>(Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                service.text("clientId"),
                "client_secret",
                service.text("clientSecret"),
                "resource",
                ORDERS));
        assertThat(token(project, form, 200).text("scope").split(" ")).containsExactlyInAnyOrder("read", "list");

        var both = project.api()
                .post(OauthBrowser.issuerPath(project) + "/oauth/token")
                .raw("application/x-www-form-urlencoded", OauthBrowser.encode(form) + "&resource=" + STOCK)
                .expect(200);

        assertThat(both.text("scope")).isEqualTo("list");
    }

    @Test
    void onlyServicesActOnTheirOwnAndOnlyPeoplesClientsHaveCodes() {
        addApi(ORDERS, "read");
        var web = register(project, "web", Map.of());
        var service = register(project, "service", Map.of("apiScopes", Map.of(ORDERS, List.of("read"))));
        assertThat(withSecret(web, Map.of("grant_type", "client_credentials", "resource", ORDERS))
                        .text("error"))
                .isEqualTo("unauthorized_client");
        assertThat(withSecret(service, Map.of("grant_type", "authorization_code", "code", "x"))
                        .text("error"))
                .isEqualTo("unauthorized_client");
        assertThat(browser.authorize(service.text("clientId"), Map.of()).statusCode())
                .isEqualTo(400);
    }

    private Response withSecret(Response client, Map<String, String> more) {
        var form = new HashMap<>(more);
        form.put("client_id", client.text("clientId"));
        form.put("client_secret", client.text("clientSecret"));
        return token(project, form, 400);
    }

    @Test
    void aStrictClientAndADeletedSecretAreHeldTo() {
        addApi(ORDERS, "read");
        var service = register(
                project,
                "service",
                Map.of("authentication", "client_secret_basic", "apiScopes", Map.of(ORDERS, List.of("read"))));
        var id = service.text("clientId");
        var form = Map.of("grant_type", "client_credentials", "client_id", id);
        var posted = new HashMap<>(form);
        posted.put("client_secret", service.text("clientSecret"));
        token(project, posted, 401);
        token(project, form, 401);

        project.asOwner("PATCH", "/oauth-clients/" + id)
                .json(Map.of("authentication", "any"))
                .expect(200);
        token(project, posted, 200);
        var second =
                project.asOwner("POST", "/oauth-clients/" + id + "/secrets").expect(201);
        project.asOwner("DELETE", "/oauth-clients/" + id + "/secrets/" + service.text("secrets/0/id"))
                .expect(200);
        token(project, posted, 401);
        posted.put("client_secret", second.text("clientSecret"));
        token(project, posted, 200);
    }

    @Test
    void aClientHasTwoSecretsAtMostWhileOneIsReplaced() {
        var client = register(project, "web", Map.of());
        var secrets = "/oauth-clients/" + client.text("clientId") + "/secrets";
        var second = project.asOwner("POST", secrets).expect(201);
        project.asOwner("POST", secrets).expect(409);
        for (var secret : List.of(client.text("clientSecret"), second.text("clientSecret"))) {
            assertThat(refreshError(client, secret)).isEqualTo("invalid_grant");
        }
        project.asOwner("DELETE", secrets + "/" + second.text("id")).expect(200);
        assertThat(refreshError(client, second.text("clientSecret"))).isEqualTo("invalid_client");
        project.asOwner("POST", secrets).expect(201);
    }

    private String refreshError(Response client, String secret) {
        return OauthBrowser.call(
                        project,
                        Map.of(
                                "grant_type",
                                "refresh_token",
                                "client_id",
                                client.text("clientId"),
                                "client_secret",
                                secret,
                                "refresh_token",
                                "x"))
                .send()
                .text("error");
    }

    /** RFC 6749, 2.3.1: id and secret are encoded like a form before they are joined. */
    @Test
    void aBasicHeaderIsDecodedLikeAForm() {
        var client = register(project, "web", Map.of());
        var encoded = client.text("clientId").replace("-", "%2D") + ":"
                + client.text("clientSecret").replace("_", "%5F");
        assertThat(OauthBrowser.call(project, Map.of("grant_type", "refresh_token", "refresh_token", "x"))
                        .header(
                                "Authorization",
                                "Basic " + Base64.getEncoder().encodeToString(encoded.getBytes(StandardCharsets.UTF_8)))
                        .expect(400)
                        .text("error"))
                .isEqualTo("invalid_grant");
    }

    /** Single page applications call it from wherever they are; a page never sends cookies with it. */
    @Test
    void pagesOfAllOriginsCallTheTokenEndpointWithoutCredentials() {
        var answer = OauthBrowser.call(project, refreshForm("x", "x"))
                .header("Origin", "https://anywhere.example.com")
                .expect(401);
        assertThat(answer.header("Access-Control-Allow-Origin"))
                .isIn(Optional.of("*"), Optional.of("https://anywhere.example.com"));
        assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void theFirstTokensOfAProjectShareOneKey() {
        addApi(ORDERS, "read");
        var service = register(project, "service", Map.of("apiScopes", Map.of(ORDERS, List.of("read"))));
        var form = Map.of(
                "grant_type", "client_credentials",
                "client_id", service.text("clientId"),
                "client_secret", service.text("clientSecret"));

        var keys = Parallel.send(10, number -> OauthBrowser.call(project, form)).stream()
                .map(answer -> Jwt.parse(answer.text("access_token"))
                        .header()
                        .path("kid")
                        .asText())
                .distinct()
                .toList();

        assertThat(keys).hasSize(1);
    }
}
