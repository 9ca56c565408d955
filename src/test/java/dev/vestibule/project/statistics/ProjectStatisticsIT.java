package dev.vestibule.project.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.config.StatisticsSettings;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The activity of a project, as its members see it. */
@ExtendWith(WithServer.class)
class ProjectStatisticsIT {
    private static final Map<String, String> SOON = Map.of("VESTIBULE_STATISTICS_FLUSH_SECONDS", "1");
    private static final Map<String, String> AT_THE_STOP = Map.of("VESTIBULE_STATISTICS_FLUSH_SECONDS", "3600");

    private final String databaseUrl;
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;

    ProjectStatisticsIT(TestDatabase database) {
        databaseUrl = database.createDatabase();
        clock.advance(untilNext(ChronoUnit.DAYS).plusMinutes(5)); // so that no hour ends by itself
        server = TestServer.startOn(databaseUrl, SOON, clock);
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Afterwards, the previous owner's token has expired. */
    private void advance(Duration duration) {
        clock.advance(duration);
        project = new TestProject(
                project.api(),
                project.id(),
                project.publishableKey(),
                project.secretKey(),
                server.newMember(project, "owner"));
    }

    private Duration untilNext(ChronoUnit unit) {
        var now = clock.instant();
        return Duration.between(now, now.truncatedTo(unit).plus(1, unit));
    }

    private TestServer another(Map<String, String> settings) {
        return TestServer.startOn(databaseUrl, settings, clock);
    }

    private static JsonNode read(TestProject project, String period) {
        return project.asOwner("GET", "/statistics?period=" + period)
                .expect(200)
                .json();
    }

    private static JsonNode totals(TestProject project) {
        return read(project, "24h").path("totals");
    }

    private static void await(TestProject project, String total, long expected) {
        Eventually.until(
                expected + " " + total, () -> totals(project).path(total).asLong() == expected);
    }

    private static void fail(TestProject project, String email) {
        project.post("/v1/auth/signin")
                .json(Map.of("email", email, "password", "not the password"))
                .expect(401);
    }

    @Test
    void nothingHasHappenedInANewProject() {
        var statistics = read(project, "24h");
        assertThat(statistics.path("series"))
                .hasSize(24)
                .allSatisfy(
                        step -> assertThat(step.path("activeUsers").asLong()).isZero());
        assertThat(statistics.path("totals"))
                .allSatisfy(total -> assertThat(total.asLong()).isZero());
    }

    @Test
    void theCountsOfAllNodesAddUp() {
        try (var node = another(SOON)) {
            var there = project.through(node.api());
            var first = TestServer.newEmail();
            var both = project.signUp(first);
            there.signUp();
            there.signIn(first);
            project.signIn(first);
            fail(project, first);
            fail(there, "nobody@example.com");
            there.me(both.accessToken()).expect(200);

            await(project, "signUps", 2);
            await(project, "signIns", 2);
            await(project, "failedSignIns", 2);
            await(project, "activeUsers", 2);
            assertThat(totals(project).path("users").asLong()).isEqualTo(2);
            assertThat(read(project, "24h")
                            .path("series")
                            .path(23)
                            .path("signIns")
                            .asLong())
                    .isEqualTo(2);
        }
    }

    @Test
    void theNumbersOfProjectsAreSeparate() {
        var other = server.newProject();
        project.signUp();
        other.signUp();
        other.signUp();
        await(project, "signUps", 1);
        await(other, "signUps", 2);
        assertThat(totals(project).path("activeUsers").asLong()).isEqualTo(1);
        project.as(other.owner(), "GET", "/statistics").expect(404);
    }

    /** The overview of the day must not jump when a project migrates from another system. */
    @Test
    void usersCreatedByTheApplicationAreNotSignUps() {
        project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", TestServer.newEmail()))
                .expect(201);
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", "{\"email\":\"" + TestServer.newEmail() + "\"}")
                .expect(200);
        project.signUp();
        await(project, "users", 3);
        await(project, "signUps", 1);
    }

    @Test
    void aUserWhoUsesOrRefreshesASessionIsActive() {
        advance(untilNext(ChronoUnit.HOURS).plus(Duration.ofMinutes(55)));
        var signedUp = List.of(project.signUp(), project.signUp(), project.signUp());
        await(project, "activeUsers", 3);
        advance(Duration.ofMinutes(10)); // into the next hour, while access tokens are still good
        project.refresh(signedUp.get(0).refreshToken()).expect(200);
        project.me(signedUp.get(1).accessToken()).expect(200);
        Eventually.until(
                "two users of three are active again",
                () -> read(project, "24h")
                                .path("series")
                                .path(23)
                                .path("activeUsers")
                                .asLong()
                        == 2);
        assertThat(totals(project).path("activeUsers").asLong()).as("each once").isEqualTo(3);
        assertThat(read(project, "24h")
                        .path("series")
                        .path(22)
                        .path("activeUsers")
                        .asLong())
                .isEqualTo(3);
    }

    /** The owner sees what the user would see; the user is not active. */
    @Test
    void anImpersonatedUserIsNotActive() {
        var user = project.signUp().text("user/id");
        await(project, "activeUsers", 1);
        advance(Duration.ofHours(1));
        var token = project.asOwner("POST", "/users/" + user + "/impersonate")
                .json(Map.of("reason", "a question of theirs"))
                .expect(200)
                .accessToken();
        project.me(token).expect(200);
        fail(project, "nobody@example.com");
        await(project, "failedSignIns", 1);
        var now = read(project, "24h").path("series").path(23);
        assertThat(now.path("activeUsers").asLong()).isZero();
        assertThat(now.path("signIns").asLong()).isZero();
    }

    @Test
    void deliveriesOfWebhooksAreCountedByTheirOutcome() {
        var settings =
                Map.of("VESTIBULE_STATISTICS_FLUSH_SECONDS", "1", "VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true");
        try (var node = another(settings);
                var receiver = TestReceiver.start()) {
            var there = project.through(node.api());
            receiver.answer("/out", 500, "");
            for (var path : List.of("/in", "/out")) {
                there.manage("POST", "/v1/dashboard/webhooks")
                        .json(Map.of("url", receiver.url(path), "events", List.of("user.created")))
                        .expect(201);
            }
            there.signUp();
            await(project, "webhooksDelivered", 1);
            await(project, "webhooksFailed", 1);
        }
    }

    @Test
    void aStopWritesTheRemainingCounts() {
        try (var node = another(AT_THE_STOP)) {
            project.through(node.api()).signUp();
            assertThat(totals(project).path("signUps").asLong()).isZero();
        }
        assertThat(totals(project).path("signUps").asLong()).isEqualTo(1);
        assertThat(totals(project).path("activeUsers").asLong()).isEqualTo(1);
    }

    @Test
    void aBurstOfMoreProjectsThanFitIsLoggedAsIncomplete() {
        var projects = IntStream.range(0, 15)
                .mapToObj(number -> server.newProject(project.owner(), "P" + number))
                .toList();
        try (var log = new LoggedLines(Activity.class)) {
            try (var node = another(
                    Map.of("VESTIBULE_STATISTICS_FLUSH_SECONDS", "3600", "VESTIBULE_STATISTICS_PROJECTS", "10"))) {
                projects.forEach(each -> fail(each.through(node.api()), "nobody@example.com"));
            }
            assertThat(log.text()).contains("5 sign ups, sign ins, requests and deliveries are missing");
        }
        assertThat(projects.stream()
                        .mapToLong(each -> totals(each).path("failedSignIns").asLong())
                        .sum())
                .isEqualTo(10);
    }

    @Test
    void aStormOnTwoNodesIsCountedInFull() {
        try (var node = another(SOON)) {
            var there = project.through(node.api());
            Parallel.send(
                    200,
                    number -> (number % 2 == 0 ? project : there)
                            .post("/v1/auth/signin")
                            .json(Map.of("email", "nobody" + number + "@example.com", "password", "no password")));
            await(project, "failedSignIns", 200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1h", "24H", "24h%20", "31d", "30d%3B", "%00", "24h,7d"})
    void anUnknownPeriodIsRefused(String period) {
        assertThat(project.asOwner("GET", "/statistics?period=" + period)
                        .expect(422)
                        .failingFields())
                .containsExactly("period");
    }

    @Test
    void theLastDayIsTheDefaultPeriod() {
        var statistics = project.as(server.newMember(project, "viewer"), "GET", "/statistics")
                .expect(200)
                .json();
        assertThat(statistics.path("period").asText()).isEqualTo("24h");
        assertThat(statistics.path("interval").asText()).isEqualTo("hour");
    }

    @Test
    void daysAreInUtcAndEndWithTheCurrentOne() {
        project.signUp();
        await(project, "signUps", 1);
        advance(Duration.ofHours(3));
        var user = project.signUp();
        await(project, "signUps", 2);
        advance(Duration.ofDays(2));
        project.refresh(user.refreshToken()).expect(200);
        await(project, "activeUsers", 1);

        for (var days : List.of(7, 30)) {
            var statistics = read(project, days + "d");
            var series = statistics.path("series");
            assertThat(series).hasSize(days);
            assertThat(Instant.parse(series.path(days - 1).path("at").asText()))
                    .isEqualTo(clock.instant().truncatedTo(ChronoUnit.DAYS));
            assertThat(series.path(0).path("at")).isEqualTo(statistics.path("from"));
            assertThat(series.path(days - 3).path("signUps").asLong()).isEqualTo(2);
            assertThat(series.path(days - 3).path("activeUsers").asLong()).isEqualTo(2);
            assertThat(series.path(days - 1).path("activeUsers").asLong()).isEqualTo(1);
            assertThat(statistics.path("totals").path("activeUsers").asLong()).isEqualTo(2);
        }
        assertThat(totals(project).path("signUps").asLong()).as("in 24 hours").isZero();
    }

    @Test
    void oldCountsAreRemoved() {
        project.signUp();
        await(project, "signUps", 1);
        server.sql()
                .update(
                        "INSERT INTO project_statistics SELECT project_id, hour - n * interval '1 hour', 1, 1, 1, 1, 1, ''"
                                + " FROM project_statistics CROSS JOIN generate_series(1, 1200) AS n"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        purge();
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM project_statistics WHERE project_id = ?::uuid AND hour < ?::timestamptz",
                                project.id(),
                                clock.instant().minus(Duration.ofDays(35)).toString()))
                .isZero();
        assertThat(read(project, "30d").path("totals").path("signUps").asLong())
                .as("the hours of 29 days and of the current one")
                .isEqualTo(29 * 24 + 1);
    }

    private void purge() {
        var vertx = Vertx.vertx();
        try {
            new Activity(new StatisticsSettings(Duration.ofSeconds(5), 35, 10), clock)
                    .purge(TestDatabase.connect(vertx, databaseUrl, 1))
                    .await();
        } finally {
            vertx.close().await();
        }
    }
}
