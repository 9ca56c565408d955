package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.post;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens that are exchanged for narrower ones (RFC 8693). */
@ExtendWith(WithServer.class)
class TokenExchangeIT {
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
    private static final String ORDERS = "https://orders.example.com/";
    private static final String STOCK = "https://stock.example.com/";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String app;

    TokenExchangeIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        project.signUp(email);
        addApi(ORDERS, "read", "write");
        addApi(STOCK, "read", "write", "count");
        app = register(project, "spa", Map.of()).text("clientId");
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

    /** The credentials of an API. */
    private record Caller(String id, String secret) {}

    private Caller caller(String kind, Map<String, ?> more) {
        var client = register(project, kind, more);
        return new Caller(client.text("clientId"), client.text("clientSecret"));
    }

    private Caller orders() {
        return caller(
                "api", Map.of("resource", ORDERS, "tokenExchange", true, "apiScopes", Map.of(STOCK, List.of("read"))));
    }

    private Response userTokens(String resource, String scopes) {
        var code = new OauthBrowser(project).code(app, email, Map.of("scope", scopes, "resource", resource));
        return redeem(project, app, code, 200);
    }

    private static Map<String, String> form(Caller caller, String subject, Map<String, String> more) {
        var form = new HashMap<>(Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:token-exchange",
                "client_id",
                caller.id(),
                "client_secret",
                caller.secret(),
                "subject_token",
                subject,
                "subject_token_type",
                ACCESS_TOKEN));
        form.putAll(more);
        form.values().removeIf(String::isEmpty);
        return form;
    }

    private Response exchange(Caller caller, String subject, Map<String, String> more) {
        return token(project, form(caller, subject, more), 200);
    }

    private String refusal(Caller caller, String subject, Map<String, String> more) {
        return token(project, form(caller, subject, more), 400).text("error");
    }

    private boolean isActive(Caller caller, String text) {
        return post(
                        project,
                        "/oauth/introspect",
                        Map.of("client_id", caller.id(), "client_secret", caller.secret(), "token", text),
                        200)
                .json()
                .path("active")
                .booleanValue();
    }

    @Test
    void anApiCallsTheNextOneForItsUserWithATokenThatSaysSo() {
        var orders = orders();
        var first = userTokens(ORDERS, "openid read write").text("access_token");
        var answer = exchange(orders, first, Map.of("resource", STOCK, "scope", "read"));
        assertThat(answer.text("issued_token_type")).isEqualTo(ACCESS_TOKEN);
        assertThat(answer.text("token_type")).isEqualTo("Bearer");
        assertThat(answer.text("scope")).isEqualTo("read");
        assertThat(answer.json().has("refresh_token")).isFalse();
        assertThat(answer.json().has("id_token")).isFalse();

        var before = Jwt.parse(first).claims();
        var claims = Jwt.parse(answer.text("access_token")).claims();
        assertThat(claims.path("sub")).isEqualTo(before.path("sub"));
        assertThat(claims.path("sid")).isEqualTo(before.path("sid"));
        assertThat(claims.path("aud").asText()).isEqualTo(STOCK);
        assertThat(claims.path("client_id").asText()).isEqualTo(orders.id());
        assertThat(claims.path("act").path("sub").asText()).isEqualTo(orders.id());
        assertThat(claims.path("exp").asLong())
                .isLessThanOrEqualTo(before.path("exp").asLong());

        var stock = caller("api", Map.of("resource", STOCK));
        assertThat(isActive(stock, answer.text("access_token"))).isTrue();
        assertThat(isActive(orders, answer.text("access_token"))).isTrue(); // it is the client
    }

    @Test
    void withoutAResourceTheTokenIsForTheSameApi() {
        var answer = exchange(orders(), userTokens(ORDERS, "read write").text("access_token"), Map.of("scope", "read"));
        assertThat(Jwt.parse(answer.text("access_token")).claims().path("aud").asText())
                .isEqualTo(ORDERS);
        assertThat(Jwt.parse(answer.text("access_token")).claims().path("scope").asText())
                .isEqualTo("read");
    }

    @Test
    void theAudienceCanNameTheApiToo() {
        var answer =
                exchange(orders(), userTokens(ORDERS, "read write").text("access_token"), Map.of("audience", STOCK));
        assertThat(Jwt.parse(answer.text("access_token")).claims().path("aud").asText())
                .isEqualTo(STOCK);
        assertThat(answer.text("scope")).isEqualTo("read"); // all that the client may have there
    }

    @Test
    void nothingBecomesWider() {
        var orders = orders();
        var reading = userTokens(ORDERS, "read").text("access_token");
        var writing = userTokens(ORDERS, "read write").text("access_token");
        assertThat(refusal(orders, reading, Map.of("scope", "write"))).isEqualTo("invalid_scope");
        assertThat(refusal(orders, reading, Map.of("resource", STOCK, "scope", "count")))
                .isEqualTo("invalid_scope");
        assertThat(refusal(orders, writing, Map.of("resource", STOCK, "scope", "write")))
                .isEqualTo("invalid_scope"); // the client may not have it
        assertThat(refusal(orders, writing, Map.of("scope", "openid"))).isEqualTo("invalid_scope");
        assertThat(refusal(orders, reading, Map.of("resource", "https://unknown.example.com/")))
                .isEqualTo("invalid_target");
        addApi("https://bills.example.com/", "read");
        assertThat(refusal(orders, reading, Map.of("resource", "https://bills.example.com/")))
                .isEqualTo("invalid_target");
    }

    @Test
    void onlyThoseExchangeThatMay() {
        var reading = userTokens(ORDERS, "read").text("access_token");
        assertThat(refusal(caller("api", Map.of("resource", ORDERS)), reading, Map.of()))
                .isEqualTo("unauthorized_client");
        var stranger = caller("api", Map.of("resource", STOCK, "tokenExchange", true));
        assertThat(refusal(stranger, reading, Map.of())).isEqualTo("invalid_request");
        assertThat(token(project, form(new Caller(app, ""), reading, Map.of()), 400)
                        .text("error"))
                .isEqualTo("unauthorized_client");
        for (var kind : List.of("spa", "native", "service")) {
            var fields = new HashMap<String, Object>(Map.of("kind", kind, "name", "Shop", "tokenExchange", true));
            if (!kind.equals("service")) {
                fields.put("redirectUris", List.of(OauthBrowser.APP));
            }
            project.asOwner("POST", "/oauth-clients").json(fields).expect(422);
        }
    }

    @Test
    void anAnswerTellsNothingOfTokensOfOthers() {
        var stranger = caller("api", Map.of("resource", STOCK, "tokenExchange", true));
        var ofOthers = token(project, form(stranger, userTokens(ORDERS, "read").text("access_token"), Map.of()), 400);
        var unknown = token(project, form(stranger, "unknown", Map.of()), 400);
        assertThat(ofOthers.json()).isEqualTo(unknown.json());
    }

    @Test
    void anExchangedTokenEndsWithTheFirst() {
        var orders = orders();
        var tokens = userTokens(ORDERS, "read");
        var next = exchange(orders, tokens.text("access_token"), Map.of("resource", STOCK))
                .text("access_token");
        assertThat(isActive(orders, next)).isTrue();
        post(project, "/oauth/revoke", Map.of("client_id", app, "token", tokens.text("refresh_token")), 200);
        assertThat(isActive(orders, next)).isFalse();
        assertThat(refusal(orders, tokens.text("access_token"), Map.of())).isEqualTo("invalid_request");
    }

    @Test
    void anExchangedTokenEndsWithItsUsersSession() {
        var orders = orders();
        var next = exchange(orders, userTokens(ORDERS, "read").text("access_token"), Map.of("resource", STOCK))
                .text("access_token");
        var user = Jwt.parse(next).claims().path("sub").asText();
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban").expect(200);
        assertThat(isActive(orders, next)).isFalse();
    }

    @Test
    void oneExchangedTokenCanEndWithoutTheFirst() {
        var orders = orders();
        var first = userTokens(ORDERS, "read").text("access_token");
        var next = exchange(orders, first, Map.of("resource", STOCK)).text("access_token");
        post(
                project,
                "/oauth/revoke",
                Map.of("client_id", orders.id(), "client_secret", orders.secret(), "token", next),
                200);
        assertThat(isActive(orders, next)).isFalse();
        assertThat(isActive(orders, first)).isTrue();
    }

    @Test
    void theChainOfThoseWhoActIsKeptAndHasAnEnd() {
        var orders = orders();
        var stock = caller(
                "api", Map.of("resource", STOCK, "tokenExchange", true, "apiScopes", Map.of(ORDERS, List.of("read"))));
        var at = userTokens(ORDERS, "read").text("access_token");
        for (var i = 0; i < 5; i++) {
            at = i % 2 == 0
                    ? exchange(orders, at, Map.of("resource", STOCK)).text("access_token")
                    : exchange(stock, at, Map.of("resource", ORDERS)).text("access_token");
        }
        var act = Jwt.parse(at).claims().path("act");
        assertThat(act.path("sub").asText()).isEqualTo(orders.id());
        assertThat(act.path("act").path("sub").asText()).isEqualTo(stock.id());
        assertThat(act.path("act").path("act").path("sub").asText()).isEqualTo(orders.id());
        assertThat(refusal(stock, at, Map.of("resource", ORDERS))).isEqualTo("invalid_request");
    }

    @Test
    void anApplicationHandsAProgramANarrowerTokenThatNamesTheProgram() {
        var web = caller("web", Map.of("tokenExchange", true));
        var agent = caller("service", Map.of("apiScopes", Map.of(STOCK, List.of("count"))));
        var code = new OauthBrowser(project).code(web.id(), email, Map.of("scope", "read write", "resource", ORDERS));
        var own = token(
                        project,
                        Map.of(
                                "grant_type",
                                "authorization_code",
                                "client_id",
                                web.id(),
                                "client_secret",
                                web.secret(),
                                "code",
                                code,
                                "redirect_uri",
                                OauthBrowser.APP,
                                "code_verifier",
                                OauthBrowser.VERIFIER),
                        200)
                .text("access_token");
        var ofAgent = token(
                        project,
                        Map.of(
                                "grant_type", "client_credentials",
                                "client_id", agent.id(),
                                "client_secret", agent.secret()),
                        200)
                .text("access_token");
        var acting = Map.of("scope", "read", "actor_token", ofAgent, "actor_token_type", ACCESS_TOKEN);
        var claims = Jwt.parse(exchange(web, own, acting).text("access_token")).claims();
        assertThat(claims.path("act").path("sub").asText()).isEqualTo(agent.id());
        assertThat(claims.path("scope").asText()).isEqualTo("read");

        // A person cannot be the actor, nor can a token that is unknown or has no type.
        var asActor = Map.of("actor_token", own, "actor_token_type", ACCESS_TOKEN);
        assertThat(refusal(web, own, asActor)).isEqualTo("invalid_request");
        assertThat(refusal(web, own, Map.of("actor_token", "x", "actor_token_type", ACCESS_TOKEN)))
                .isEqualTo("invalid_request");
        assertThat(refusal(web, own, Map.of("actor_token", ofAgent))).isEqualTo("invalid_request");
        assertThat(refusal(web, own, Map.of("actor_token_type", ACCESS_TOKEN))).isEqualTo("invalid_request");
    }

    @Test
    void anApiCannotSayThatAProgramActsWhichHasSentItsToken() {
        var orders = orders();
        var program = caller("service", Map.of("apiScopes", Map.of(ORDERS, List.of("read"))));
        var sent = token(
                        project,
                        Map.of(
                                "grant_type", "client_credentials",
                                "client_id", program.id(),
                                "client_secret", program.secret()),
                        200)
                .text("access_token");
        assertThat(isActive(orders, sent)).isTrue();
        var acting = Map.of("actor_token", sent, "actor_token_type", ACCESS_TOKEN);
        assertThat(refusal(orders, userTokens(ORDERS, "read").text("access_token"), acting))
                .isEqualTo("invalid_request");
    }

    @Test
    void onlyAccessTokensOfThisServerAreExchanged() {
        var orders = orders();
        var tokens = userTokens(ORDERS, "openid read");
        var first = tokens.text("access_token");
        for (var subject : List.of(tokens.text("id_token"), tokens.text("refresh_token"), "x", first + "x")) {
            assertThat(refusal(orders, subject, Map.of())).isEqualTo("invalid_request");
        }
        var session = project.signIn(email).text("accessToken");
        assertThat(refusal(orders, session, Map.of())).isEqualTo("invalid_request");
        for (var type : List.of("", "urn:ietf:params:oauth:token-type:id_token", ACCESS_TOKEN + "s")) {
            assertThat(refusal(orders, first, Map.of("subject_token_type", type)))
                    .isEqualTo("invalid_request");
        }
        assertThat(refusal(
                        orders,
                        first,
                        Map.of("requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token")))
                .isEqualTo("invalid_request");
        exchange(orders, first, Map.of("requested_token_type", ACCESS_TOKEN));
    }

    @Test
    void aTokenOfAnotherProjectIsUnknown() {
        var there = server.newProject();
        there.signUp(email);
        there.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", ORDERS, "name", "API", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var client = register(there, "spa", Map.of()).text("clientId");
        var code = new OauthBrowser(there).code(client, email, Map.of("scope", "read", "resource", ORDERS));
        var text = redeem(there, client, code, 200).text("access_token");
        assertThat(refusal(orders(), text, Map.of())).isEqualTo("invalid_request");
    }

    @Test
    void usersDoNotSeeEachExchangeAmongTheirApplications() {
        exchange(orders(), userTokens(ORDERS, "read").text("access_token"), Map.of("resource", STOCK));
        var apps = project.api()
                .get("/v1/auth/me/grants")
                .bearer(project.signIn(email).text("accessToken"))
                .expect(200);
        assertThat(apps.json().findValuesAsText("clientId")).containsExactly(app);
    }
}
