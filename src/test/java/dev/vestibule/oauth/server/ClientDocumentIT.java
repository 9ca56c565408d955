package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients whose id is the URL of their metadata document, as of the Model Context Protocol. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientDocumentIT {
    private static final int NEW_DOCUMENTS = 20;

    private final TestReceiver site = TestReceiver.start();
    private final TestServer server;
    private final TestServer careful;
    private final String email = TestServer.newEmail();
    private TestProject project;
    private OauthBrowser browser;

    ClientDocumentIT(TestDatabase database, TestServer careful) {
        this.careful = careful;
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS",
                        "true",
                        "VESTIBULE_LIMITS_CLIENT_DOCUMENTS_PER_DAY",
                        "" + NEW_DOCUMENTS));
        project = server.newProject();
        browser = new OauthBrowser(project);
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        browser = new OauthBrowser(project);
        project.signUp(email);
    }

    @AfterAll
    void stop() {
        server.close();
        site.close();
    }

    private String publish(String path, JsonObject document) {
        site.answer(path, request -> json(request, document.encode()));
        return site.url(path);
    }

    private static void json(HttpServerRequest request, String body) {
        request.response().putHeader("Content-Type", "application/json").end(body);
    }

    private JsonObject document(String path) {
        return new JsonObject()
                .put("client_id", site.url(path))
                .put("client_name", "Notes agent")
                .put("redirect_uris", new JsonArray().add(APP));
    }

    private int status(String id) {
        return browser.authorize(id, Map.of()).statusCode();
    }

    @Test
    void aClientThatNobodyRegisteredAsksForConsentAndGetsTokens() {
        var id = publish("/agent", document("/agent"));
        browser.authorize(id, Map.of());
        var consent = browser.signIn(email);
        assertThat(consent.body()).contains("Notes agent", "127.0.0.1", "app.example.com");

        var code = parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code");

        var tokens = redeem(project, id, code, 200);
        userinfo(project, tokens.text("access_token"), 200);
    }

    /** Nobody vouches for the places that a stranger lists; people have read of one. */
    @Test
    void whatWasAgreedToForOnePlaceIsAskedAgainForAnother() {
        var elsewhere = "https://elsewhere.example.com/callback";
        var id = publish("/two", document("/two").put("redirect_uris", List.of(APP, elsewhere)));
        browser.authorize(id, Map.of());
        browser.signIn(email);
        browser.submit("consent", Map.of("decision", "allow"));
        assertThat(parameter(onward(browser.authorize(id, Map.of())), "code")).isNotEmpty();

        assertThat(browser.authorize(id, Map.of("redirect_uri", elsewhere)).body())
                .contains("elsewhere.example.com", "value=\"allow\"");
        var silent = Map.of("redirect_uri", elsewhere, "prompt", "none");
        assertThat(parameter(onward(browser.authorize(id, silent)), "error")).isEqualTo("consent_required");
        var wrong = Map.of("redirect_uri", elsewhere, "response_type", "token");
        assertThat(browser.authorize(id, wrong).body()).contains("No access", "elsewhere.example.com");

        browser.authorize(id, Map.of("redirect_uri", elsewhere, "scope", "openid"));
        browser.submit("consent", Map.of("decision", "allow"));
        assertThat(parameter(onward(browser.authorize(id, silent)), "error"))
                .as("more than was agreed to there")
                .isEqualTo("consent_required");
        browser.authorize(id, Map.of("redirect_uri", elsewhere));
        browser.submit("consent", Map.of("decision", "allow"));
        for (var place : List.of(APP, elsewhere)) {
            assertThat(parameter(onward(browser.authorize(id, Map.of("redirect_uri", place))), "code"))
                    .isNotEmpty();
        }
    }

    @Test
    void documentsThatAreWrongAreNoClients() {
        var wrong = Map.of(
                "/other-id", document("/other-id").put("client_id", site.url("/else")),
                "/no-redirect", document("/no-redirect").put("redirect_uris", new JsonArray()),
                "/plain-http", document("/plain-http").put("redirect_uris", List.of("http://app.example.com/")),
                "/script", document("/script").put("redirect_uris", List.of("javascript:alert(1)//")),
                "/secret", document("/secret").put("client_secret", "s"),
                "/method", document("/method").put("token_endpoint_auth_method", "client_secret_post"),
                "/long", document("/long").put("x", "x".repeat(5 * 1024)));
        wrong.forEach((path, document) ->
                assertThat(status(publish(path, document))).as(path).isEqualTo(400));
    }

    @Test
    void redirectsErrorsAndOtherTypesAreNoDocuments() {
        publish("/right", document("/right"));
        site.answer(
                "/moved",
                request -> request.response()
                        .setStatusCode(302)
                        .putHeader("Location", site.url("/right"))
                        .end());
        site.answer("/missing", 404, document("/missing").encode());
        site.answer("/text", 200, document("/text").encode());
        for (var path : List.of("/moved", "/missing", "/text")) {
            assertThat(status(site.url(path))).as(path).isEqualTo(400);
        }
        assertThat(site.to("/right")).isEmpty();
    }

    @Test
    void aSlowDocumentIsGivenUp() {
        site.hang("/slow");
        assertThat(status(site.url("/slow"))).isEqualTo(400);
    }

    @Test
    void privateAddressesAreNotAsked() {
        var visitor = new OauthBrowser(careful.newProject());
        for (var id : List.of(
                "https://127.0.0.1/agent",
                "https://169.254.169.254/latest/meta-data",
                "https://[::1]/agent",
                "https://localhost/agent",
                "http://example.com/agent",
                "https://example.com",
                "https://user@example.com/agent",
                "https://example.com/a/../agent",
                "https://example.com/agent?{",
                "https://[::ffff:1.2.3.99999999999]/agent",
                "https://example.com/agent#x")) {
            assertThat(visitor.authorize(id, Map.of()).statusCode()).as(id).isEqualTo(400);
        }
    }

    @Test
    void aProgramOnTheComputerIsWarnedAboutAndAskedForEveryTime() {
        var id = publish("/local", document("/local").put("redirect_uris", List.of("http://127.0.0.1/callback")));
        var more = Map.of("redirect_uri", "http://127.0.0.1:51004/callback");
        browser.authorize(id, more);
        assertThat(browser.signIn(email).body()).contains("a program on your computer");
        browser.submit("consent", Map.of("decision", "allow"));

        assertThat(browser.authorize(id, more).body()).contains("a program on your computer");
    }

    @Test
    void aDocumentThatDripsIsGivenUp() {
        site.answer("/drip", request -> {
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .setChunked(true)
                    .write("{");
            drip(request);
        });
        assertThat(status(site.url("/drip"))).isEqualTo(400);
    }

    /** A space each 100 ms, as long as somebody listens. */
    private static void drip(HttpServerRequest request) {
        Vertx.currentContext().owner().setTimer(100, time -> {
            if (!request.response().closed()) {
                request.response().write(" ");
                drip(request);
            }
        });
    }

    @Test
    void aChangedDocumentCountsOnceTheOldOneIsTooOld() {
        var id = publish("/changing", document("/changing"));
        assertThat(status(id)).isEqualTo(200);
        publish("/changing", document("/changing").put("redirect_uris", List.of("https://evil.example.com/")));
        assertThat(status(id)).as("still fresh").isEqualTo(200);
        assertThat(browser.authorize(id, Map.of("redirect_uri", "https://evil.example.com/"))
                        .statusCode())
                .isEqualTo(400);

        server.sql().update("UPDATE oauth_clients SET fresh_until = now() - interval '1 s' WHERE id = ?", id);

        assertThat(status(id)).isEqualTo(400);
        assertThat(browser.authorize(id, Map.of("redirect_uri", "https://evil.example.com/"))
                        .statusCode())
                .isEqualTo(200);
    }

    /** Somebody else may have got hold of the host, and would get the accounts of those who have agreed before. */
    @Test
    void aDocumentThatLeadsElsewhereIsAskedAboutAgain() {
        var id = publish("/moving", document("/moving"));
        browser.authorize(id, Map.of());
        browser.signIn(email);
        browser.submit("consent", Map.of("decision", "allow"));
        server.sql().update("UPDATE oauth_clients SET fresh_until = now() - interval '1 s' WHERE id = ?", id);
        assertThat(status(id)).as("as before").isEqualTo(303);

        var elsewhere = "https://elsewhere.example.com/";
        publish("/moving", document("/moving").put("redirect_uris", List.of(elsewhere)));
        server.sql().update("UPDATE oauth_clients SET fresh_until = now() - interval '1 s' WHERE id = ?", id);

        assertThat(browser.authorize(id, Map.of("redirect_uri", elsewhere)).body())
                .contains("elsewhere.example.com", "value=\"allow\"");
    }

    @Test
    void aDocumentThatSomebodyHasAgreedToIsFreshForFiveMinutesToADayWhateverItSays() {
        for (var age : Map.of("no-store", 300, "max-age=1", 300, "max-age=3600", 3600, "max-age=999999999", 86_400)
                .entrySet()) {
            var path = "/age" + age.getValue() + age.getKey().length();
            site.answer(path, request -> {
                request.response().putHeader("Cache-Control", age.getKey());
                json(request, document(path).encode());
            });
            var visitor = new OauthBrowser(project);
            visitor.authorize(site.url(path), Map.of());
            assertThat(secondsFresh(site.url(path))).as(age.getKey()).isEqualTo(Math.min(age.getValue(), 900));
            visitor.signIn(email);
            visitor.submit("consent", Map.of("decision", "allow"));
            server.sql()
                    .update(
                            "UPDATE oauth_clients SET fresh_until = now() - interval '1 s' WHERE id = ?",
                            site.url(path));
            visitor.authorize(site.url(path), Map.of());
            assertThat(secondsFresh(site.url(path)))
                    .as(age.getKey())
                    .isEqualTo(age.getValue().longValue());
        }
    }

    private long secondsFresh(String id) {
        return server.sql()
                .count(
                        "SELECT round(extract(epoch FROM fresh_until - updated_at)) FROM oauth_clients WHERE id = ?",
                        id);
    }

    @Test
    void aNetworkBringsOnlySoManyNewDocumentsADay() {
        for (var i = 0; i < NEW_DOCUMENTS; i++) {
            assertThat(status(publish("/new" + i, document("/new" + i)))).isEqualTo(200);
        }
        var more = publish("/one-more", document("/one-more"));
        assertThat(status(more)).isEqualTo(429);
        OauthBrowser.post(project, "/oauth/par", OauthBrowser.request(more, Map.of()), 429);
        OauthBrowser.post(project, "/oauth/device_authorization", Map.of("client_id", more), 429);
        assertThat(site.to("/one-more")).isEmpty();
        assertThat(status(site.url("/new0"))).as("one that is known").isEqualTo(200);
    }

    @Test
    void anIdThatNeverBeganAnAuthorizationIsNotFetched() {
        var id = publish("/unused", document("/unused"));
        OauthBrowser.token(project, refreshForm(id, "x"), 401);
        assertThat(site.to("/unused")).isEmpty();
    }

    @Test
    void impossibleNamesAndShapesOfAClientAreRefused() {
        for (var wrong : Map.of(
                        "/nul", document("/nul").put("client_name", "a\u0000b"),
                        "/lines", document("/lines").put("client_name", "a\nb"),
                        "/objects", document("/objects").put("redirect_uris", List.of(Map.of("a", "b"))),
                        "/text", document("/text").put("redirect_uris", APP),
                        "/many", document("/many").put("redirect_uris", Collections.nCopies(21, APP)))
                .entrySet()) {
            assertThat(status(publish(wrong.getKey(), wrong.getValue())))
                    .as(wrong.getKey())
                    .isEqualTo(400);
        }
        site.answer("/array", request -> json(request, "[]"));
        site.answer("/twice", request -> json(request, "{\"client_id\":\"a\",\"client_id\":\"b\"}"));
        for (var path : List.of("/array", "/twice")) {
            assertThat(status(site.url(path))).as(path).isEqualTo(400);
        }
    }

    /** Neither a new sign in nor a refresh nor a token: the owner wants none of them. */
    @Test
    void aProjectCanDoWithoutThem() {
        var id = publish("/switched", document("/switched"));
        browser.authorize(id, Map.of());
        browser.signIn(email);
        var code = parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code");
        var tokens = redeem(project, id, code, 200);
        var refresh = refreshForm(id, tokens.text("refresh_token"));
        var metadata = OauthBrowser.issuerPath(project) + "/.well-known/openid-configuration";
        assertThat(project.api().get(metadata).expect(200).text("client_id_metadata_document_supported"))
                .isEqualTo("true");
        OauthBrowser.userinfo(project, tokens.text("access_token"), 200);

        allowDocuments(false);

        assertThat(project.api().get(metadata).expect(200).text("client_id_metadata_document_supported"))
                .isEqualTo("false");
        var asked = site.to("/switched").size();
        assertThat(status(id)).isEqualTo(400);
        assertThat(status(publish("/unknown", document("/unknown")))).isEqualTo(400);
        assertThat(site.to("/switched").size() + site.to("/unknown").size()).isEqualTo(asked);
        OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
        OauthBrowser.token(project, refresh, 401);
        OauthBrowser.post(project, "/oauth/par", OauthBrowser.request(id, Map.of()), 401);
        OauthBrowser.post(project, "/oauth/device_authorization", Map.of("client_id", id), 401);

        allowDocuments(true);
        OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
        OauthBrowser.token(project, refresh, 401);
        assertThat(browser.authorize(id, Map.of()).body()).contains("value=\"allow\"");
        assertThat(OauthBrowser.token(project, refresh, 400).text("error")).isEqualTo("invalid_grant");
    }

    /** However many grants there are: their rows go later, and do not come back to life before that. */
    @Test
    void whatAProjectHasEndedStaysEndedWhenItAllowsThemAgain() throws SQLException {
        var id = publish("/ended", document("/ended"));
        browser.authorize(id, Map.of());
        browser.signIn(email);
        var code = parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code");
        var tokens = redeem(project, id, code, 200);
        var all = ManyGrants.likeThoseOf(server, project);
        try (var lock = all.lock()) {
            allowDocuments(false);
            OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
            allowDocuments(true);
            OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
            assertThat(all.count()).isPositive();

            assertThat(browser.authorize(id, Map.of()).body())
                    .as("it asks again")
                    .contains("value=\"allow\"");
            var again = parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code");
            var fresh = redeem(project, id, again, 200).text("access_token");
            OauthBrowser.userinfo(project, fresh, 200);
            lock.rollback();
            all.awaitRemoval();
            OauthBrowser.userinfo(project, fresh, 200);
            assertThat(all.count()).as("the new one").isEqualTo(1);
            assertThat(parameter(onward(browser.authorize(id, Map.of())), "code"))
                    .as("what has just been agreed to")
                    .isNotEmpty();
        }
    }

    /**
     * A token that an API got by exchange ends with the original; clients that owners have registered are not affected.
     */
    @Test
    void aProjectThatDoesWithoutThemEndsWhatOthersGotForTheirTokens() {
        var orders = "https://orders.example.com/";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", orders, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var api = OauthBrowser.register(project, "api", Map.of("resource", orders, "tokenExchange", true));
        var asked = Map.of("scope", "openid read", "resource", orders);
        var id = publish("/exchanged", document("/exchanged"));
        browser.authorize(id, asked);
        browser.signIn(email);
        var code = parameter(onward(browser.submit("consent", Map.of("decision", "allow"))), "code");
        var token = redeem(project, id, code, 200).text("access_token");
        var exchanged = OauthBrowser.token(
                        project,
                        with(
                                api,
                                Map.of(
                                        "grant_type",
                                        "urn:ietf:params:oauth:grant-type:token-exchange",
                                        "subject_token",
                                        token,
                                        "subject_token_type",
                                        "urn:ietf:params:oauth:token-type:access_token")),
                        200)
                .text("access_token");
        var app = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var known = parameter(onward(browser.authorize(app, asked)), "code");
        var other = redeem(project, app, known, 200).text("access_token");
        List.of(token, exchanged, other)
                .forEach(each -> assertThat(isActive(api, each)).isTrue());

        allowDocuments(false);

        assertThat(isActive(api, token)).isFalse();
        assertThat(isActive(api, exchanged)).isFalse();
        assertThat(isActive(api, other)).isTrue();
    }

    private void allowDocuments(boolean allowed) {
        project.asOwner("PATCH", "")
                .json(Map.of("clientMetadataDocuments", allowed))
                .expect(200);
    }

    private static Map<String, String> with(Response client, Map<String, String> form) {
        var all = new HashMap<>(form);
        all.put("client_id", client.text("clientId"));
        all.put("client_secret", client.text("clientSecret"));
        return all;
    }

    private boolean isActive(Response api, String token) {
        return OauthBrowser.post(project, "/oauth/introspect", with(api, Map.of("token", token)), 200)
                .json()
                .path("active")
                .booleanValue();
    }

    /** RFC 9700, 4.11.2: anybody can publish a document, and so choose where a browser goes. */
    @Test
    void nobodyIsSentToAStrangerWithoutBeingAsked() {
        var id = publish("/stranger", document("/stranger"));
        var wrong = browser.authorize(id, Map.of("response_type", "token", "ui_locales", "de"));
        assertThat(wrong.statusCode()).isEqualTo(200);
        assertThat(wrong.body())
                .contains("Notes agent", "app.example.com", "Kein Zugriff")
                .doesNotContain("onward");

        var form = browser.hiddenFields();
        form.put("decision", "back");
        var answer = onward(browser.submit("consent", form));
        assertThat(answer.toString()).startsWith(APP);
        assertThat(parameter(answer, "error")).isEqualTo("unsupported_response_type");
        assertThat(parameter(answer, "state")).isEqualTo("a state & more");
        assertThat(parameter(answer, "iss")).endsWith(project.id());
        assertThat(browser.submit("consent", form).statusCode()).isEqualTo(410);

        browser.authorize(id, Map.of());
        browser.signIn(email);
        assertThat(browser.submit("consent", Map.of("decision", "deny")).body())
                .contains("No access")
                .doesNotContain("onward");
        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "back"))), "error"))
                .isEqualTo("access_denied");

        assertThat(parameter(onward(browser.authorize(id, Map.of("prompt", "none"))), "error"))
                .isEqualTo("consent_required");
    }
}
