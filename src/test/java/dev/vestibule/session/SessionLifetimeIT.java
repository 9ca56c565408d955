package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However often it is refreshed, a session ends when it is as old as the project allows. */
@ExtendWith(WithServer.class)
class SessionLifetimeIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;

    SessionLifetimeIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void noRefreshKeepsASessionAliveForEver() {
        var session = project.signUp();
        for (int day = 0; day < 90; day += 6) {
            session = project.refresh(session.refreshToken()).expect(200);
            clock.advance(Duration.ofDays(6));
        }

        project.me(session.accessToken()).expect(401);
        project.refresh(session.refreshToken()).expect(401);
        assertThat(sessionsOf(session)).isEmpty();
    }

    @Test
    void aRefreshExtendsASessionAtMostToItsMaximumLifetime() {
        configure(Map.of("refreshTokenTtl", 2400, "maxLifetime", 3600));
        var began = clock.instant();
        var session = project.signUp();
        assertThat(expiryOf(session)).isEqualTo(began.plusSeconds(2400));
        clock.advance(MINUTE.multipliedBy(30));

        session = project.refresh(session.refreshToken()).expect(200);

        assertThat(expiryOf(session)).isEqualTo(began.plus(HOUR));
        clock.advance(MINUTE.multipliedBy(30).minusMillis(1));
        session = project.refresh(session.refreshToken()).expect(200);
        assertThat(expiryOf(session)).isEqualTo(began.plus(HOUR));
        clock.advance(Duration.ofMillis(1));
        project.refresh(session.refreshToken()).expect(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"refreshTokenTtl", "maxLifetime"})
    void aSessionWithAnEarlierEndIsRemovedThen(String lifetime) {
        var session = project.signUp();
        configure(Map.of(lifetime, 300));
        project.refresh(session.refreshToken()).expect(200);

        clock.advance(Duration.ofMinutes(5));

        Eventually.until(
                "the sweep removes it",
                () -> server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id())
                        == 0);
    }

    @Test
    void aLifetimeBelowThatOfTheRefreshTokenIsTheSessionsEnd() {
        configure(Map.of("maxLifetime", 300));
        var inA = project.signUp("ann@example.com");
        var inB = project.signInInVariantB("ann@example.com");
        assertThat(expiryOf(inA)).isEqualTo(clock.instant().plusSeconds(300));
        clock.advance(Duration.ofSeconds(299));
        var replaced = project.refresh(inA.refreshToken()).expect(200);
        project.refreshAccessToken(inB.refreshToken()).expect(200);
        clock.advance(Duration.ofSeconds(1));

        project.me(replaced.accessToken()).expect(401);
        project.refresh(replaced.refreshToken()).expect(401);
        project.refreshAccessToken(inB.refreshToken()).expect(401);
    }

    /** A back end that only checks the signature trusts {@code exp}. */
    @Test
    void noAccessTokenOutlivesItsSession() {
        configure(Map.of("accessTokenTtl", 86_400, "maxLifetime", 3600));
        var end = clock.instant().plus(HOUR);
        var inA = project.signUp("ann@example.com");
        var inB = project.signInInVariantB("ann@example.com");

        assertThat(inA.text("expiresIn")).isEqualTo("3600");
        assertThat(inB.text("expiresIn")).isEqualTo("3600");
        assertThat(expiryOfToken(inA)).isBeforeOrEqualTo(end);
        clock.advance(MINUTE.multipliedBy(59).plusMillis(1));
        var replaced = project.refresh(inA.refreshToken()).expect(200);
        var renewed = project.refreshAccessToken(inB.refreshToken()).expect(200);

        assertThat(replaced.text("expiresIn")).isEqualTo("59");
        assertThat(renewed.text("expiresIn")).isEqualTo("59");
        assertThat(expiryOfToken(replaced)).isBeforeOrEqualTo(end);
        assertThat(expiryOfToken(renewed)).isBeforeOrEqualTo(end);
        project.me(replaced.accessToken()).expect(200);
    }

    @Test
    void anAccessTokenDoesNotOutliveASessionThatVariantBCannotExtend() {
        configure(Map.of("refreshTokenTtl", 600));
        var session = project.signUpInVariantB();
        clock.advance(Duration.ofSeconds(590));

        var renewed = project.refreshAccessToken(session.refreshToken()).expect(200);

        assertThat(renewed.text("expiresIn")).isEqualTo("10");
    }

    @Test
    void aLoweredLifetimeEndsOlderSessionsAtTheirNextRefresh() {
        var inA = project.signUp("ann@example.com");
        var inB = project.signInInVariantB("ann@example.com");
        clock.advance(MINUTE.multipliedBy(10));
        configure(Map.of("maxLifetime", 600));

        project.refresh(inA.refreshToken()).expect(401);
        project.refreshAccessToken(inB.refreshToken()).expect(401);

        project.me(inA.accessToken()).expect(401);
        project.me(inB.accessToken()).expect(401);
        assertThat(sessionsOf(inA)).isEmpty();
    }

    @Test
    void aRaisedLifetimeAppliesFromTheNextRefresh() {
        configure(Map.of("maxLifetime", 600));
        var session = project.signUp();
        configure(Map.of("maxLifetime", 3600));
        clock.advance(MINUTE.multipliedBy(5));

        session = project.refresh(session.refreshToken()).expect(200);

        assertThat(expiryOf(session)).isEqualTo(clock.instant().plus(MINUTE.multipliedBy(55)));
    }

    @Test
    void theMaximumLifetimeIsReportedAsAnExpiry() {
        configure(Map.of("maxLifetime", 300));
        server.sql()
                .update(
                        "INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)"
                                + " VALUES (?::uuid, gen_random_uuid(), 'http://203.0.113.1/', '{session.ended}',"
                                + " 'active', '', now(), now())",
                        project.id());
        project.signUp();
        clock.advance(MINUTE.multipliedBy(5));

        Eventually.until(
                "the sweep tells of the end",
                () -> server.sql()
                        .texts(
                                "SELECT payload::jsonb #>> '{data,reason}' FROM webhook_events WHERE project_id = ?::uuid",
                                project.id())
                        .contains("expired"));
    }

    @Test
    void aSessionOfADashboardUserEndsToo() {
        var body = Map.of("email", TestServer.newEmail(), "password", "a dashboard password");
        var token = server.api()
                .post("/v1/dashboard/auth/register")
                .json(body)
                .expect(201)
                .refreshToken();
        for (int day = 0; day < 90; day += 6) {
            token = refreshDashboardUser(token, 200).refreshToken();
            clock.advance(Duration.ofDays(6));
        }

        refreshDashboardUser(token, 401);
    }

    private Response refreshDashboardUser(String refreshToken, int status) {
        return server.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", "00000000-0000-7000-8000-000000000000", "refreshToken", refreshToken))
                .expect(status);
    }

    /**
     * Changes settings as a dashboard user who is signed in at the test's time, when the project's first owner may no
     * longer be.
     */
    private void configure(Map<String, Integer> sessionConfig) {
        project.as(server.newMember(project, "owner"), "PATCH", "")
                .json(Map.of("sessionConfig", sessionConfig))
                .expect(200);
    }

    private JsonNode sessionsOf(Response session) {
        return project.manage("GET", "/v1/dashboard/users/" + session.text("user/id") + "/sessions")
                .expect(200)
                .json()
                .path("sessions");
    }

    private Instant expiryOf(Response session) {
        return Instant.parse(
                sessionsOf(session).iterator().next().path("expiresAt").asText());
    }

    private static Instant expiryOfToken(Response tokens) {
        return Instant.ofEpochSecond(
                Jwt.parse(tokens.accessToken()).claims().path("exp").asLong());
    }
}
