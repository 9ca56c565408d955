package dev.vestibule.server;

import static dev.vestibule.fixture.RawConnection.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class HealthIT {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";

    private final TestServer server;
    private final TestDatabase database;

    HealthIT(TestServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
    }

    @Test
    void aServerThatServesIsLiveAndReady() {
        var management = ApiClient.undescribed(server.managementUrl());
        assertThat(management.get(LIVE).expect(200).text("status")).isEqualTo("UP");
        assertThat(management.get(READY).expect(200).text("status")).isEqualTo("UP");
        management.get("/health/else").expect(404);
    }

    @Test
    void aServerWithoutItsDatabaseIsLiveButNotReady() {
        try (var proxy = DatabaseProxy.before(database.createDatabase());
                var fragile = TestServer.startOn(
                        proxy.url(), TestServer.USUAL_DATABASE_WAITS, Clock.tickMillis(ZoneOffset.UTC))) {
            var management = ApiClient.undescribed(fragile.managementUrl());
            var project = fragile.newProject();
            var signedUp = project.signUp("ann@example.com");

            proxy.takeAway();
            assertThat(management.get(READY).expect(503).text("status")).isEqualTo("DOWN");
            management.get(LIVE).expect(200);
            var refused = project.me(signedUp.accessToken()).expect(503);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.text("error")).isEqualTo("Service Unavailable");
            project.refresh(signedUp.refreshToken()).expect(503);
            project.trySignIn("ann@example.com", TestProject.PASSWORD).expect(503);

            proxy.restore();
            Eventually.until(
                    "the server is ready again",
                    () -> management.get(READY).send().status() == 200);
            project.me(signedUp.accessToken()).expect(200);
            project.refresh(signedUp.refreshToken()).expect(200);
            project.signIn("ann@example.com");
        }
    }

    @Test
    void aServerThatReachesOneOfItsDatabasesIsReady() {
        var settings = new HashMap<>(TestServer.USUAL_DATABASE_WAITS);
        settings.put("VESTIBULE_DATABASE_NEW_PROJECTS", "eu");
        try (var home = DatabaseProxy.before(database.createDatabase());
                var eu = DatabaseProxy.before(database.createDatabase())) {
            settings.put("VESTIBULE_DATABASE_SHARDS", "eu=" + eu.url());
            try (var fragile = TestServer.startOn(home.url(), settings, Clock.tickMillis(ZoneOffset.UTC))) {
                var ready = ApiClient.undescribed(fragile.managementUrl()).get(READY);
                var project = fragile.newProject();
                var signedUp = project.signUp();

                home.takeAway();
                ready.expect(200);
                project.me(signedUp.accessToken()).expect(200);
                eu.takeAway();
                ready.expect(503);
                home.restore();
                Eventually.until("home answers", () -> ready.send().status() == 200);
            }
        }
    }

    @Test
    void aSilentDatabaseTimesOut() {
        try (var unhurried = TestServer.start(database, Map.of());
                var proxy = DatabaseProxy.before(unhurried.databaseUrl());
                var hurried = TestServer.startOn(
                        proxy.url(), Map.of("VESTIBULE_HTTP_REQUEST_SECONDS", "1"), Clock.tickMillis(ZoneOffset.UTC))) {
            var management = ApiClient.undescribed(hurried.managementUrl());
            var made = unhurried.newProject();
            var signedUp = made.signUp("ann@example.com");
            var project = made.at(hurried);

            proxy.fallSilent();
            var refused = project.me(signedUp.accessToken()).expect(503);
            assertThat(refused.header("Retry-After")).isPresent();
            project.refresh(signedUp.refreshToken()).expect(503);
            management.get(READY).expect(503);

            proxy.restore();
            Eventually.until(
                    "it answers again",
                    () -> project.me(signedUp.accessToken()).send().status() == 200);
        }
    }

    /** Uses a request with a slow body, which is in flight for as long as the test wants. */
    @Test
    void aStoppingServerIsLiveAndNotReadyAndFinishesRequestsInFlight() {
        var stopping = TestServer.start(database, Map.of());
        var management = ApiClient.undescribed(stopping.managementUrl());
        var project = stopping.newProject();
        var body = "{\"email\":\"ann@example.com\",\"password\":\"" + TestProject.PASSWORD + "\"}";
        try (var inFlight = RawConnection.to(stopping.api().base())) {
            inFlight.send(head("POST", "/v1/auth/signup", body.length(), "x-api-key: " + project.publishableKey()))
                    .send(body.substring(0, 10));
            Eventually.until(
                    "its body is being read",
                    () -> management.get("/metrics").expect(200).body().contains("http_bodies_held_bytes 10.0"));

            var closed = CompletableFuture.runAsync(stopping::close);
            Eventually.until(
                    "the server says that it stops",
                    () -> management.get(READY).send().status() == 503);

            assertThat(closed).isNotDone();
            management.get(LIVE).expect(200);
            assertThat(inFlight.send(body.substring(10)).receive().status()).isEqualTo(201);
            closed.join();
        }
    }
}
