package dev.vestibule.access;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
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
    void unknownTokensOfRegisteredClientsCountToo() {
        project.asOwner("PATCH", "").json(Map.of("dynamicRegistration", true)).expect(200);
        for (int i = 0; i < QUOTA; i++) {
            registered("GET").expect(401);
        }
        for (var method : List.of("GET", "PUT", "DELETE")) {
            refused(registered(method).expect(429));
        }
    }

    private Call registered(String method) {
        var call = server.api()
                .call(method, "/v1/projects/" + project.id() + "/oauth/register/" + UUID.randomUUID())
                .bearer("unknown")
                .header("X-Forwarded-For", ATTACKER);
        return method.equals("PUT") ? call.json(Map.of()) : call;
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

    /** Nothing is refused from the application's own network, which is not the attacker's. */
    @Test
    void wrongSecretsCountForTheirClientAndTheirNetworkAloneAndLockNobodyOut() {
        var api = Map.of("resource", "https://orders.example.com/");
        var client = OauthBrowser.register(project, "api", api);
        var another = OauthBrowser.register(project, "api", Map.of("resource", "https://notes.example.com/"));
        for (int i = 0; i < QUOTA; i++) {
            introspect(ATTACKER, client, "wrong").expect(401);
        }
        refused(introspect(ATTACKER, client, "wrong").expect(429));
        refused(asClient("revoke", ATTACKER, client, "wrong", Map.of()).expect(429));
        refused(asClient("token", ATTACKER, client, "wrong", Map.of("grant_type", "client_credentials"))
                .expect(429));
        introspect(ATTACKER, another, "wrong").expect(401);

        introspect(OTHER, client, "wrong").expect(401);
        introspect(OTHER, client, client.text("clientSecret")).expect(200);
        introspect(ATTACKER, client, client.text("clientSecret")).expect(200);
    }

    @Test
    void clientsThatDoNotExistAreNotLookedUpForEver() {
        var secret = "cs_" + "x".repeat(43);
        for (int i = 0; i < QUOTA; i++) {
            introspect(ATTACKER, UUID.randomUUID().toString(), secret).expect(401);
        }
        refused(introspect(ATTACKER, UUID.randomUUID().toString(), secret).expect(429));
        refused(introspect(ATTACKER, "https://app.example.com/client", secret).expect(429));
        introspect(OTHER, UUID.randomUUID().toString(), secret).expect(401);
        var client = OauthBrowser.register(project, "api", Map.of("resource", "https://orders.example.com/"));
        introspect(ATTACKER, client, client.text("clientSecret")).expect(200);
    }

    @Test
    void wrongSignaturesForAClientAreNotCheckedForever() {
        var keys = Map.of(
                "keys",
                List.of(Map.of(
                        "kty",
                        "EC",
                        "crv",
                        "P-256",
                        "kid",
                        "one",
                        "x",
                        "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                        "y",
                        "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")));
        var client =
                OauthBrowser.register(project, "service", Map.of("jwks", keys)).text("clientId");
        for (int i = 0; i < QUOTA; i++) {
            assertion(ATTACKER, client).expect(401);
        }
        refused(assertion(ATTACKER, client).expect(429));
        assertion(OTHER, client).expect(401);
    }

    private Call assertion(String network, String client) {
        var encoder = Base64.getUrlEncoder().withoutPadding();
        var claims = "{\"iss\":\"" + client + "\",\"sub\":\"" + client + "\"}";
        var forged = encoder.encodeToString("{\"alg\":\"ES256\",\"kid\":\"one\"}".getBytes(UTF_8)) + "."
                + encoder.encodeToString(claims.getBytes(UTF_8)) + "." + "A".repeat(86);
        return form(
                "token",
                network,
                Map.of(
                        "grant_type", "client_credentials",
                        "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                        "client_assertion", forged));
    }

    private Call introspect(String network, Response client, String secret) {
        return introspect(network, client.text("clientId"), secret);
    }

    private Call introspect(String network, String client, String secret) {
        return form("introspect", network, Map.of("client_id", client, "client_secret", secret, "token", "x"));
    }

    private Call asClient(String endpoint, String network, Response client, String secret, Map<String, String> more) {
        var form = new HashMap<>(more);
        form.putAll(Map.of("client_id", client.text("clientId"), "client_secret", secret, "token", "x"));
        return form(endpoint, network, form);
    }

    private Call form(String endpoint, String network, Map<String, String> form) {
        return server.api()
                .post(OauthBrowser.issuerPath(project) + "/oauth/" + endpoint)
                .header("X-Forwarded-For", network)
                .raw("application/x-www-form-urlencoded", OauthBrowser.encode(form));
    }
}
