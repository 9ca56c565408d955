package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Credentials that do not exist: each look-up costs something, so each network has a limited number. */
@ExtendWith(WithServer.class)
class BadCredentialsIT {
    /**
     * So few that even a busy machine can use up the limit before the next one is allowed, which takes half a minute.
     */
    private static final int QUOTA = 2;

    private static final String ATTACKER = "192.0.2.66";
    private static final String OTHER = "192.0.2.67";

    private final TestServer server;
    private final TestProject project;

    BadCredentialsIT(TestDatabase database) {
        this.server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_HTTP_TRUSTED_PROXIES",
                        "127.0.0.1/32,::1/128",
                        "VESTIBULE_LIMITS_BAD_CREDENTIALS_PER_MINUTE",
                        "" + QUOTA));
        this.project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Call from(String address) {
        return server.api().get("/v1/auth/branding").header("X-Forwarded-For", address);
    }

    private static String unknownKey(ProjectId of) {
        return ApiKey.generate(ApiKey.Kind.PUBLISHABLE, Environment.LIVE, of).text();
    }

    private void exhaust() {
        for (int i = 0; i < QUOTA; i++) {
            from(ATTACKER).key(unknownKey(ProjectId.next())).expect(401);
        }
    }

    /** The allowance that grew back while a test waited. */
    private static void useUp(Supplier<Call> bad) {
        while (bad.get().send().status() != 429) {
            // one more was allowed
        }
    }

    private static void refused(Response answer) {
        assertThat(answer.header("RateLimit-Policy")).hasValue("\"bad-credentials\";q=" + QUOTA + ";w=60");
        var seconds = Integer.parseInt(answer.header("Retry-After").orElseThrow());
        assertThat(seconds).isBetween(1, 60 / QUOTA);
        assertThat(answer.header("RateLimit")).hasValue("\"bad-credentials\";r=0;t=" + seconds);
    }

    @Test
    void unknownKeysAreNotLookedUpForEver() {
        exhaust();
        refused(from(ATTACKER).key(unknownKey(ProjectId.next())).expect(429));
        from(OTHER).key(unknownKey(ProjectId.next())).expect(401);
    }

    @Test
    void knownCredentialsStillWork() {
        var token = project.signUp().accessToken();
        exhaust();
        Eventually.until("others have made the server remember them", () -> {
            from(OTHER).key(project.publishableKey()).expect(200);
            useUp(() -> from(ATTACKER).key(unknownKey(ProjectId.next())));
            return from(ATTACKER).key(project.publishableKey()).send().status() == 200
                    && me(token).send().status() == 200
                    && signInTo(project.id()).send().status() == 401;
        });
    }

    @Test
    void unknownProjectIdsCountToo() {
        for (int i = 0; i < QUOTA; i++) {
            signInTo(UUID.randomUUID().toString()).expect(404);
        }
        refused(signInTo(UUID.randomUUID().toString()).expect(429));
    }

    private Call signInTo(String projectId) {
        return server.api()
                .post("/v1/auth/signin")
                .header("X-Forwarded-For", ATTACKER)
                .json(Map.of("projectId", projectId, "email", "ann@example.com", "password", "not the password"));
    }

    @Test
    void keySetsOfUnknownProjectsCountToo() {
        keySet(project.id()).expect(200);
        for (int i = 0; i < QUOTA; i++) {
            keySet(UUID.randomUUID().toString()).expect(404);
        }
        refused(keySet(UUID.randomUUID().toString()).expect(429));
        keySet("nonsense").expect(404);
        Eventually.until("others have made the server remember it", () -> {
            keySet(project.id(), OTHER).expect(200);
            useUp(() -> keySet(UUID.randomUUID().toString()));
            return keySet(project.id()).send().status() == 200;
        });
    }

    @Test
    void pagesOfUnknownProjectsCountTooAndKnownPagesStillWork() {
        var slug = server.sql()
                .texts("SELECT slug FROM projects WHERE id = '" + project.id() + "'")
                .get(0);
        for (int i = 0; i < QUOTA; i++) {
            assertThat(page("no-such-project-" + i, ATTACKER)).isEqualTo(404);
        }
        assertThat(page("no-such-project", ATTACKER)).isEqualTo(429);
        assertThat(page("no_slug", ATTACKER)).isEqualTo(429);
        assertThat(page("no-such-project", OTHER)).isEqualTo(404);
        Eventually.until("others have made the server remember it", () -> {
            assertThat(page(slug, OTHER)).isEqualTo(200);
            while (page("no-such-project", ATTACKER) != 429) {
                // the allowance that grew back while this test waited is used up
            }
            return page(slug, ATTACKER) == 200;
        });
    }

    private int page(String slug, String network) {
        var request = HttpRequest.newBuilder(server.api().base().resolve("/p/" + slug + "/"))
                .header("X-Forwarded-For", network)
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private Call keySet(String projectId) {
        return keySet(projectId, ATTACKER);
    }

    private Call keySet(String projectId, String network) {
        return server.api()
                .get("/v1/projects/" + projectId + "/.well-known/jwks.json")
                .header("X-Forwarded-For", network);
    }

    @Test
    void everyNodeServesAKeySetAsSoonAsItsProjectExists() {
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            var made = server.newProject();
            for (var node : new TestServer[] {server, other}) {
                node.api()
                        .get("/v1/projects/" + made.id() + "/.well-known/jwks.json")
                        .expect(200);
            }
        }
    }

    @Test
    void forgedTokensCountToo() {
        var token = project.signUp().accessToken();
        var forged = token.substring(0, token.length() - 10) + "AAAAAAAAAA".substring(0, 10);
        for (int i = 0; i < QUOTA; i++) {
            me(forged).expect(401);
        }
        refused(me(forged).expect(429));
    }

    private Call me(String token) {
        return server.api()
                .get("/v1/auth/me")
                .header("X-Forwarded-For", ATTACKER)
                .bearer(token);
    }

    @Test
    void refusalsThatCostNothingAreNotCounted() {
        project.signUp();
        for (int i = 0; i < 3 * QUOTA; i++) {
            from(ATTACKER)
                    .key(unknownKey(ProjectId.parse(project.id()).orElseThrow()))
                    .expect(401);
            from(ATTACKER).key("pk_live_nonsense").expect(401);
            from(ATTACKER).expect(401);
            me("nonsense").expect(401);
        }
    }

    @Test
    void aNewKeyWorksOnEveryNodeAtOnce() {
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            for (int i = 0; i < 3; i++) {
                other.api()
                        .get("/v1/auth/branding")
                        .key(unknownKey(ProjectId.next()))
                        .expect(401);
                var made = server.newProject();
                other.api().get("/v1/auth/branding").key(made.publishableKey()).expect(200);
                server.api().get("/v1/auth/branding").key(made.publishableKey()).expect(200);
                var added = made.asOwner("POST", "/keys")
                        .json(Map.of("kind", "publishable"))
                        .expect(201)
                        .text("key");
                server.api().get("/v1/auth/branding").key(added).expect(200);
            }
        }
    }

    @Test
    void forgedTokensAtUserinfoCountTooAndKnownOnesStillWork() {
        var email = TestServer.newEmail();
        project.signUp(email);
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var token = OauthBrowser.redeem(project, client, new OauthBrowser(project).code(client, email, Map.of()), 200)
                .text("access_token");
        var forged = token.substring(0, token.lastIndexOf('.') + 1)
                + "A".repeat(token.length() - token.lastIndexOf('.') - 1);
        for (int i = 0; i < QUOTA; i++) {
            userinfo(forged).expect(401);
        }
        refused(userinfo(forged).expect(429));
        Eventually.until("it is known here", () -> {
            server.api()
                    .get(OauthBrowser.issuerPath(project) + "/oauth/userinfo")
                    .header("X-Forwarded-For", OTHER)
                    .bearer(token)
                    .expect(200);
            useUp(() -> userinfo(forged));
            return userinfo(token).send().status() == 200;
        });
    }

    private Call userinfo(String token) {
        return server.api()
                .get(OauthBrowser.issuerPath(project) + "/oauth/userinfo")
                .header("X-Forwarded-For", ATTACKER)
                .bearer(token);
    }
}
