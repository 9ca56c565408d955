package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.vestibule.App;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Shard;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.user.password.CommonPasswords;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that are told when a session ends whose tokens they have (OpenID Connect Back-Channel Logout). */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackchannelLogoutIT {
    private final TestReceiver site = TestReceiver.start();
    private final TestServer server;
    private final TestServer careful;
    private TestProject project;
    private OauthBrowser browser;
    private String path;
    private String client;
    private String email;
    private String user;
    private Response tokens;

    BackchannelLogoutIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true"));
        careful = TestServer.start(database, Map.of("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false"));
        connect();
    }

    @BeforeEach
    final void connect() {
        project = server.newProject();
        browser = new OauthBrowser(project);
        path = "/" + UUID.randomUUID();
        email = TestServer.newEmail();
        user = project.signUp(email).text("user/id");
        client = spa(path);
        tokens = connect(client);
    }

    @AfterAll
    void stop() {
        careful.close();
        server.close();
        site.close();
    }

    private String spa(String at) {
        return register(project, "spa", Map.of("backchannelLogoutUri", site.url(at)))
                .text("clientId");
    }

    private Response connect(String to) {
        return redeem(project, to, browser.code(to, email, Map.of("prompt", "login")), 200);
    }

    private SignedJWT token(Received message) {
        assertThat(message.header("content-type")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(message.body()).startsWith("logout_token=");
        try {
            return SignedJWT.parse(message.body().substring("logout_token=".length()));
        } catch (ParseException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private String sid() {
        return Jwt.parse(tokens.text("id_token")).claims().path("sid").asText();
    }

    @Test // oidcc-backchannel-rp-initiated-logout
    void aSignOutIsToldInATokenOfTheProject() throws ParseException, JOSEException {
        project.manage("DELETE", "/v1/dashboard/sessions/" + sid()).expect(200);

        var token = token(site.await(path, 1).get(0));
        var claims = token.getJWTClaimsSet();
        assertThat(token.getHeader().getType().getType()).isEqualTo("logout+jwt");
        assertThat(claims.getIssuer()).isEqualTo("https://auth.example.com" + OauthBrowser.issuerPath(project));
        assertThat(claims.getAudience()).containsExactly(client);
        assertThat(claims.getSubject()).isEqualTo(user);
        assertThat(claims.getStringClaim("sid")).isEqualTo(sid());
        assertThat(claims.getJSONObjectClaim("events").keySet())
                .containsExactly("http://schemas.openid.net/event/backchannel-logout");
        assertThat(claims.getJWTID()).isNotEmpty();
        assertThat(claims.getIssueTime()).isNotNull();
        assertThat(claims.getExpirationTime()).isNotNull();
        assertThat(claims.getClaim("nonce")).isNull();
        var keys = JWKSet.parse(project.api()
                .get(OauthBrowser.issuerPath(project) + "/.well-known/jwks.json")
                .expect(200)
                .body());
        assertThat(token.verify(new RSASSAVerifier(
                        keys.getKeyByKeyId(token.getHeader().getKeyID()).toRSAKey())))
                .isTrue();
    }

    @Test
    void whateverEndsASessionIsTold() {
        for (var end : List.<Runnable>of(
                () -> project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                        .json(Map.of())
                        .expect(200),
                () -> project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions")
                        .expect(200),
                () -> project.api()
                        .post("/v1/auth/password/change")
                        .bearer(project.signIn(email).accessToken())
                        .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another horse battery"))
                        .expect(200),
                () -> browser.follow(browser.get(
                        OauthBrowser.issuerPath(project) + "/oauth/logout?id_token_hint=" + tokens.text("id_token"))),
                () -> project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200))) {
            connect();
            end.run();
            assertThat(Jwt.parse(token(site.await(path, 1).get(0)).serialize())
                            .claims()
                            .path("sid")
                            .asText())
                    .isEqualTo(sid());
        }
    }

    @Test
    void onlyClientsWithTokensOfTheSessionAreToldAndEachOnce() throws ParseException {
        var idle = "/" + UUID.randomUUID();
        spa(idle);
        var second = "/" + UUID.randomUUID();
        var other = spa(second);
        redeem(project, other, browser.code(other, email, Map.of("prompt", "login")), 200);
        tokens = connect(client);
        redeem(project, client, parameterOfSilent(client), 200);
        redeem(project, other, parameterOfSilent(other), 200);
        parameterOfSilent(spa(idle + "-unredeemed"));

        project.manage("DELETE", "/v1/dashboard/sessions/" + sid()).expect(200);

        site.await(path, 1);
        site.await(second, 1);
        Eventually.until("all is delivered", () -> waiting() == 0);
        assertThat(site.to(path)).hasSize(1);
        assertThat(site.to(second)).hasSize(1);
        assertThat(token(site.to(path).get(0)).getJWTClaimsSet().getJWTID())
                .isNotEqualTo(token(site.to(second).get(0)).getJWTClaimsSet().getJWTID());
        assertThat(site.to(idle)).isEmpty();
        assertThat(site.to(idle + "-unredeemed")).isEmpty();
    }

    private String parameterOfSilent(String to) {
        return OauthBrowser.parameter(OauthBrowser.onward(browser.authorize(to, Map.of("prompt", "none"))), "code");
    }

    private long waiting() {
        return server.sql()
                .count(
                        "SELECT count(*) FROM webhook_deliveries WHERE project_id = ?::uuid AND status = 'waiting'",
                        project.id());
    }

    /** Its tokens expire too, and offline access goes on. */
    @Test
    void aSessionThatExpiresIsNotTold() {
        server.sql().update("UPDATE sessions SET expires_at = now() - interval '1 s' WHERE user_id = ?::uuid", user);
        project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200);
        assertThat(server.sql()
                        .count("SELECT count(*) FROM webhook_deliveries WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void aFailedMessageIsSentAgainWithAFreshTokenAndLogged() throws ParseException {
        site.answer(path, 500, "busy");
        project.manage("DELETE", "/v1/dashboard/sessions/" + sid()).expect(200);
        site.await(path, 1);
        var webhook =
                project.asOwner("GET", "/oauth-clients/" + client).expect(200).text("logoutWebhookId");
        var log = "/v1/dashboard/webhooks/" + webhook + "/deliveries";
        Eventually.until(
                "the attempt is logged",
                () -> project.manage("GET", log)
                        .expect(200)
                        .text("deliveries/0/attempts")
                        .equals("1"));
        site.answer(path, 200, "");
        var delivery = project.manage("GET", log).expect(200).text("deliveries/0/id");
        project.manage("POST", log + "/" + delivery + "/retry").json(Map.of()).expect(200);

        var sent = site.await(path, 2);
        assertThat(token(sent.get(1)).getJWTClaimsSet().getStringClaim("sid")).isEqualTo(sid());
    }

    /** The deliverer begins before the API opens its connections, and may still work when those are closed. */
    @Test
    void aMessageNeedsNoConnectionOfTheApi() {
        var vertx = Vertx.vertx();
        var settings = Settings.load(
                Optional.empty(),
                Map.of("VESTIBULE_DATABASE_URL", server.databaseUrl(), "VESTIBULE_SECRET", TestServer.SECRET),
                Path.of("target", "no-config"));
        try (var app = new App(
                vertx,
                settings,
                Catalogue.read(Optional.empty()),
                CommonPasswords.load(),
                new MasterKeys(MasterSecret.fromSetting(TestServer.SECRET), List.of()),
                Connection.to(settings.database().url().orElseThrow(), settings.database()),
                new Meters(new SimpleMeterRegistry()),
                Clock.systemUTC())) {
            var event = Buffer.buffer("{\"data\":{\"session\":{\"id\":\"s\",\"userId\":\"" + user + "\"}}}");
            var message = app.authorizationServer
                    .logoutMessages(app.openDeliveryDatabase(Shard.HOME))
                    .form(new ProjectId(UUID.fromString(project.id())), client, "attempt", event)
                    .await();
            assertThat(message.toString()).startsWith("logout_token=");
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void theEndpointOfAClientIsNoWebhookOfTheProject() {
        var webhook =
                project.asOwner("GET", "/oauth-clients/" + client).expect(200).text("logoutWebhookId");
        assertThat(project.manage("GET", "/v1/dashboard/webhooks").expect(200).text("total"))
                .isEqualTo("0");
        var at = "/v1/dashboard/webhooks/" + webhook;
        project.manage("PATCH", at).json(Map.of("events", List.of("*"))).expect(404);
        project.manage("POST", at + "/rotate-secret").json(Map.of()).expect(404);
        project.manage("DELETE", at).expect(404);
        project.signIn(email);
        assertThat(waiting()).isZero();
    }

    @Test
    void aClientThatIsGoneOrWantsNothingIsNotTold() {
        project.asOwner("PATCH", "/oauth-clients/" + client)
                .json(java.util.Collections.singletonMap("backchannelLogoutUri", null))
                .expect(200);
        var second = "/" + UUID.randomUUID();
        var deleted = spa(second);
        tokens = connect(deleted);
        project.asOwner("DELETE", "/oauth-clients/" + deleted).expect(200);
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        assertThat(waiting()).isZero();
        assertThat(site.to(path)).isEmpty();
    }

    @Test
    void privateAddressesAreNotTold() {
        for (var uri : List.of(
                "https://127.0.0.1/logout",
                "https://169.254.169.254/",
                "https://localhost/",
                "http://app.example.com/",
                "https://user@app.example.com/",
                "https://app.example.com/#x")) {
            careful.newProject()
                    .asOwner("POST", "/oauth-clients")
                    .json(Map.of(
                            "kind",
                            "web",
                            "name",
                            "Shop",
                            "redirectUris",
                            List.of(OauthBrowser.APP),
                            "backchannelLogoutUri",
                            uri))
                    .expect(422);
        }
        project.asOwner("POST", "/oauth-clients")
                .json(Map.of("kind", "service", "name", "Job", "backchannelLogoutUri", site.url("/x")))
                .expect(422);
    }

    /**
     * The token does not contain the session's id, which nobody knows any more, so the client ends everything of the
     * person.
     */
    @Test
    void aClientWhoseOfflineAccessEndsAfterItsSessionIsToldToo() throws ParseException {
        var ends = List.<Runnable>of(
                () -> project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                        .json(Map.of())
                        .expect(200),
                () -> project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions")
                        .expect(200),
                () -> project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200));
        for (var end : ends) {
            for (var isSwept : List.of(true, false)) {
                connect();
                server.sql().update("DELETE FROM oauth_grants WHERE user_id = ?::uuid", user);
                for (var i = 0; i < 2; i++) {
                    var code = browser.code(client, email, Map.of("prompt", "login", "scope", "openid offline_access"));
                    tokens = redeem(project, client, code, 200);
                }
                server.sql()
                        .update(
                                "UPDATE sessions SET expires_at = now() - interval '1 s' WHERE user_id = ?::uuid",
                                user);
                if (isSwept) {
                    server.sql().update("UPDATE oauth_grants SET session_id = NULL WHERE user_id = ?::uuid", user);
                    server.sql().update("DELETE FROM sessions WHERE user_id = ?::uuid", user);
                }

                end.run();

                var claims = token(site.await(path, 1).get(0)).getJWTClaimsSet();
                assertThat(claims.getSubject()).isEqualTo(user);
                assertThat(claims.getClaim("sid")).isNull();
                Eventually.until("all is delivered", () -> waiting() == 0);
                assertThat(site.to(path)).hasSize(1);
                assertThat(server.sql().count("SELECT count(*) FROM oauth_grants WHERE user_id = ?::uuid", user))
                        .isZero();
            }
        }
    }

    @Test
    void aClientThatWasToldOfTheEndOfASessionIsNotToldAgain() {
        redeem(
                project,
                client,
                browser.code(client, email, Map.of("prompt", "login", "scope", "openid offline_access")),
                200);
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);
        Eventually.until("all is delivered", () -> waiting() == 0);
        var told = site.to(path).size();
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban")
                .json(Map.of())
                .expect(200);
        project.manage("DELETE", "/v1/dashboard/users/" + user).expect(200);
        Eventually.until("all is delivered", () -> waiting() == 0);
        assertThat(site.to(path)).hasSize(told);
    }

    /** The token does not contain a session's id: the application has lost access to the account in every session. */
    @Test
    void anApplicationWhoseAccessIsWithdrawnIsToldOnce() throws ParseException {
        var withdrawals = List.<Runnable>of(
                () -> project.api()
                        .call("DELETE", "/v1/auth/me/grants?clientId=" + client)
                        .bearer(project.signIn(email).accessToken())
                        .expect(200),
                () -> project.manage("DELETE", "/v1/dashboard/users/" + user + "/grants?clientId=" + client)
                        .expect(200));
        for (var withdrawal : withdrawals) {
            connect();
            connect(client);
            var second = "/" + UUID.randomUUID();
            connect(spa(second));

            withdrawal.run();

            var claims = token(site.await(path, 1).get(0)).getJWTClaimsSet();
            assertThat(claims.getAudience()).containsExactly(client);
            assertThat(claims.getSubject()).isEqualTo(user);
            assertThat(claims.getClaim("sid")).isNull();
            Eventually.until("all is delivered", () -> waiting() == 0);
            assertThat(site.to(path)).hasSize(1);
            assertThat(site.to(second)).isEmpty();
        }
    }

    @Test
    void anApplicationThatNeverRedeemedItsCodeIsNotToldOfItsWithdrawal() {
        var idle = "/" + UUID.randomUUID();
        var third = spa(idle);
        parameterOfSilent(third);
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/grants?clientId=" + third)
                .expect(200);
        assertThat(waiting()).isZero();
        assertThat(site.to(idle)).isEmpty();
    }
}
