package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.user.organization.ScimCalls;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was ended anywhere is refused everywhere: by userinfo, introspection and refresh, at this node and another. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrantEndIT {
    private final TestServer server;
    private final TestServer secondNode;

    GrantEndIT(TestDatabase database) {
        server = TestServer.start(database, Map.of());
        secondNode = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC());
    }

    @AfterAll
    void stop() {
        secondNode.close();
        server.close();
    }

    /** A user whose client has tokens, and the API that they are for. */
    private final class Connected {
        final TestProject here = server.newProject();
        final TestProject there = here.at(secondNode);
        final String email = TestServer.newEmail();
        final String user = here.signUp(email).text("user/id");
        final String client = register(here, "spa", Map.of()).text("clientId");
        final Response api = register(here, "api", Map.of("resource", issuer()));
        final OauthBrowser browser = new OauthBrowser(here);
        Response tokens;

        Connected(String scope) {
            tokens = connect(scope);
        }

        private String issuer() {
            return "https://auth.example.com" + OauthBrowser.issuerPath(here);
        }

        Response connect(String scope) {
            tokens = redeem(here, client, browser.code(client, email, Map.of("scope", scope, "prompt", "login")), 200);
            for (var node : List.of(here, there)) {
                userinfo(node, tokens.text("access_token"), 200);
                assertThat(introspect(node)).contains("\"active\":true");
            }
            return tokens;
        }

        private String introspect(TestProject node) {
            return OauthBrowser.post(
                            node,
                            "/oauth/introspect",
                            Map.of(
                                    "client_id", api.text("clientId"),
                                    "client_secret", api.text("clientSecret"),
                                    "token", tokens.text("access_token")),
                            200)
                    .body();
        }

        /** Does not wait: asks right after the answer to the request that ended it. */
        void isOver() {
            for (var node : List.of(there, here)) {
                userinfo(node, tokens.text("access_token"), 401);
                assertThat(introspect(node)).isEqualTo("{\"active\":false}");
                var refused = OauthBrowser.call(node, refreshForm(client, tokens.text("refresh_token")))
                        .send();
                assertThat(refused.status()).isIn(400, 401);
            }
        }

        /** Gets tokens for an API instead, and returns its path. */
        String toAnApi() {
            var uri = "https://orders.example.com/";
            var id = here.asOwner("POST", "/oauth-apis")
                    .json(Map.of("uri", uri, "name", "Orders", "scopes", List.of()))
                    .expect(201)
                    .text("id");
            var code = browser.code(client, email, Map.of("resource", uri, "prompt", "login", "scope", "openid"));
            tokens = redeem(here, client, code, 200);
            userinfo(there, tokens.text("access_token"), 200);
            return "/oauth-apis/" + id;
        }

        /** The session of the browser expires, and maintenance may have removed it. */
        void expireSession(boolean isRemoved) {
            server.sql()
                    .update("UPDATE sessions SET expires_at = now() - interval '1 s' WHERE user_id = ?::uuid", user);
            if (isRemoved) {
                server.sql()
                        .update(
                                "UPDATE oauth_grants SET session_id = NULL WHERE user_id = ?::uuid AND is_offline",
                                user);
                server.sql().update("DELETE FROM sessions WHERE user_id = ?::uuid", user);
            }
        }

        void manage(String method, String below) {
            var call = here.manage(method, "/v1/dashboard/users/" + user + below);
            (method.equals("DELETE") ? call : call.json(Map.of())).expect(200);
        }
    }

    /** The identity provider of an organization asks one node, and every other one knows. */
    @Test
    void aUserWhomADirectoryDeactivates() {
        var here = server.newProject();
        var there = here.at(secondNode);
        var scim = ScimCalls.start(server, here);
        var user = here.signUp(scim.email("ada"));
        server.proveEmail(scim.email("ada"));
        var provisioned = scim.user("ada");
        var key = here.post("/v1/auth/me/api-keys")
                .bearer(user.accessToken())
                .json(Map.of("name", "Build"))
                .expect(201)
                .text("key");
        there.me(user.accessToken()).expect(200);
        scim.activate(provisioned, false).expect(200);
        there.me(user.accessToken()).expect(401);
        there.refresh(user.refreshToken()).expect(401);
        assertThat(there.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key))
                        .expect(200)
                        .text("valid"))
                .isEqualTo("false");
    }

    @Test
    void aGrant() {
        var connected = new Connected("openid");
        OauthBrowser.post(
                connected.here,
                "/oauth/revoke",
                Map.of("client_id", connected.client, "token", connected.tokens.text("refresh_token")),
                200);
        connected.isOver();
    }

    @Test
    void aClient() {
        var connected = new Connected("openid");
        connected.here.asOwner("DELETE", "/oauth-clients/" + connected.client).expect(200);
        connected.isOver();
    }

    @Test
    void aUser() {
        var connected = new Connected("openid offline_access");
        connected.manage("PATCH", "/ban");
        connected.isOver();
        connected.manage("PATCH", "/unban");
        connected.isOver();
        connected.connect("openid");
        connected.manage("DELETE", "");
        connected.isOver();
    }

    @Test
    void aSession() {
        var connected = new Connected("openid offline_access");
        var sid = Jwt.parse(connected.tokens.text("access_token"))
                .claims()
                .path("sid")
                .asText();
        connected.here.manage("DELETE", "/v1/dashboard/sessions/" + sid).expect(200);
        connected.isOver();

        connected.connect("openid");
        connected.manage("DELETE", "/sessions");
        connected.isOver();
    }

    @Test
    void aSessionThatExpiresEndsWhatIsNotOffline() {
        var connected = new Connected("openid");
        connected.expireSession(false);
        connected.isOver();

        connected.connect("openid offline_access");
        connected.expireSession(false);
        userinfo(connected.there, connected.tokens.text("access_token"), 200);
    }

    /** Nobody has ended it: the person has signed in elsewhere. */
    @Test
    void aSessionThatMakesRoomForAnotherEndsWhatIsNotOffline() {
        var connected = new Connected("openid");
        connected
                .here
                .asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", 1)))
                .expect(200);
        connected.here.signIn(connected.email);
        connected.isOver();

        connected.connect("openid offline_access");
        connected.here.signIn(connected.email);
        userinfo(connected.there, connected.tokens.text("access_token"), 200);
        connected.tokens =
                token(connected.there, refreshForm(connected.client, connected.tokens.text("refresh_token")), 200);
        assertThat(Jwt.parse(connected.tokens.text("access_token")).claims().has("sid"))
                .isFalse();

        connected.manage("DELETE", "/sessions");
        connected.isOver();
    }

    @Test
    void whatOutlivesItsSessionEndsWithAllSessions() {
        for (var isRemoved : List.of(false, true)) {
            var connected = new Connected("openid offline_access");
            connected.expireSession(isRemoved);
            userinfo(connected.there, connected.tokens.text("access_token"), 200);

            connected.manage("DELETE", "/sessions");
            connected.isOver();
        }
    }

    @Test
    void whatOutlivesItsSessionDoesNotComeBackAfterABan() {
        var connected = new Connected("openid offline_access");
        connected.expireSession(true);
        connected.manage("PATCH", "/ban");
        connected.manage("PATCH", "/unban");
        connected.isOver();
    }

    @Test
    void aNewPasswordEndsWhatOutlivesItsSession() {
        var connected = new Connected("openid offline_access");
        connected.expireSession(true);
        var session = connected.here.signIn(connected.email).accessToken();
        connected
                .here
                .api()
                .post("/v1/auth/password/change")
                .bearer(session)
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another horse battery"))
                .expect(200);
        connected.isOver();
        connected.here.me(session).expect(200);
    }

    @Test
    void anApiThatIsDeleted() {
        var connected = new Connected("openid");
        var path = connected.toAnApi();
        connected.here.asOwner("DELETE", path).expect(200);
        connected.isOver();
        assertThat(connected.toAnApi()).as("another one with its URI").isNotEqualTo(path);
    }

    /** However many they are: their rows go later, in the background. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "API"})
    void aGrantHasEndedBeforeItsRowIsRemoved(String what) throws SQLException {
        var connected = new Connected("openid");
        var path = what.equals("API") ? connected.toAnApi() : "/oauth-clients/" + connected.client;
        var all = ManyGrants.likeThoseOf(server, connected.here);
        try (var lock = all.lock()) {
            connected.here.asOwner("DELETE", path).expect(200);
            connected.isOver();
            assertThat(all.count()).isPositive();
            lock.rollback();
        }
        all.awaitRemoval();
        connected.isOver();
    }

    /** The change of a client is known everywhere with its answer: nothing of it is cached. */
    @Test
    void aChangeOfAClientSoonHoldsOnEveryNode() {
        var connected = new Connected("openid");
        var elsewhere = new OauthBrowser(connected.there);
        assertThat(elsewhere.authorize(connected.client, Map.of()).statusCode()).isEqualTo(200);
        connected
                .here
                .asOwner("PATCH", "/oauth-clients/" + connected.client)
                .json(Map.of("redirectUris", List.of("https://app.example.com/another")))
                .expect(200);
        Eventually.until(
                "the other node knows",
                () -> elsewhere.authorize(connected.client, Map.of()).statusCode() == 400);
    }

    @Test
    void aProofThatWasUsedAtOneNodeIsRefusedAtTheOther() throws Exception {
        var connected = new Connected("openid");
        var proof = DpopIT.proof(
                DpopIT.newKey(),
                DpopIT.claims("POST", connected.issuer() + "/oauth/token").build());
        var form = refreshForm(connected.client, "of another server");
        assertThat(List.of(connected.here, connected.there))
                .extracting(node -> OauthBrowser.call(node, form)
                        .header("DPoP", proof)
                        .expect(400)
                        .text("error"))
                .containsExactly("invalid_grant", "invalid_dpop_proof");
    }

    @Test
    void anAssertionThatWasUsedAtOneNodeIsRefusedAtTheOther() {
        var connected = new Connected("openid");
        var key = DpopIT.newKey();
        var signer = register(connected.here, "web", Map.of("jwks", ClientAssertionIT.set(key)))
                .text("clientId");
        var form = ClientAssertionIT.form(ClientAssertionIT.sign(
                key, ClientAssertionIT.claims(signer, connected.issuer()).build()));
        form.put("token", "of another server");
        OauthBrowser.post(connected.here, "/oauth/revoke", form, 200);
        assertThat(OauthBrowser.post(connected.there, "/oauth/revoke", form, 401)
                        .text("error_description"))
                .contains("used before");
    }

    @Test
    void twoNodesMakeOneKeyForTheFirstTokensOfAProject() {
        var project = server.newProject();
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", "https://a.example.com/", "name", "A", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var service =
                register(project, "service", Map.of("apiScopes", Map.of("https://a.example.com/", List.of("read"))));
        var form = Map.of(
                "grant_type", "client_credentials",
                "client_id", service.text("clientId"),
                "client_secret", service.text("clientSecret"));
        var other = OauthBrowser.call(project.at(secondNode), form).sendAsync();
        var first = token(project, form, 200).text("access_token");
        var second = other.join().text("access_token");
        for (var text : List.of(first, second)) {
            for (var node : List.of(project, project.at(secondNode))) {
                var asked = new HashMap<>(form);
                asked.put("token", text);
                assertThat(OauthBrowser.post(node, "/oauth/introspect", asked, 200)
                                .text("active"))
                        .isEqualTo("true");
            }
        }
    }
}
