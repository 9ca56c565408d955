package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A flood of refused sign ins through two nodes, and what the audit log records of it. */
@ExtendWith(WithServer.class)
class RefusedPerDayIT {
    private static final int PER_DAY = 100;
    private static final int ATTACK = 160;
    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_AUDIT_REFUSED_PER_DAY", String.valueOf(PER_DAY),
            "VESTIBULE_AUDIT_NOTE_MILLIS", "20",
            "VESTIBULE_SESSIONS_SWEEP_SECONDS", "1",
            "VESTIBULE_LIMITS_ENABLED", "false");

    private static final String WRITTEN = """
            SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'auth.signin.failed'
            """;
    private static final String REPORTED = """
            SELECT coalesce(sum((metadata ->> 'count')::bigint), 0) FROM audit_log
            WHERE project_id = ?::uuid AND event = 'audit.entries_dropped' AND actor_type = 'system'
              AND metadata ->> 'reason' = 'refused_per_day'
            """;
    private static final String REPORTS = """
            SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'audit.entries_dropped'
            """;
    private static final String COUNTED = """
            SELECT coalesce(sum(attempts), 0) FROM audit_refusals WHERE project_id = ?::uuid
            """;

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestServer otherNode;
    private final TestProject project;

    RefusedPerDayIT(TestDatabase database) {
        var morning = clock.instant().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
        clock.advance(Duration.between(clock.instant(), morning)); // so that no test runs past midnight
        server = TestServer.start(database, SETTINGS, clock);
        otherNode = TestServer.startOn(server.databaseUrl(), SETTINGS, clock);
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        otherNode.close();
        server.close();
    }

    private void attack(int times) {
        var before = count(COUNTED);
        assertThat(Parallel.send(
                        times,
                        number -> project.at(number % 2 == 0 ? server : otherNode)
                                .trySignIn("nobody-" + number + "@example.com", "not the password")))
                .extracting(Response::status)
                .containsOnly(401);
        Eventually.until("all are counted", () -> count(COUNTED) == before + times);
    }

    /** Some attempts may be reported in the middle of the attack; the rest then waits for an hour. */
    private void awaitReported(long attempts) {
        clock.advance(Duration.ofHours(1));
        Eventually.until("the log reports the rest", () -> count(REPORTED) == attempts);
    }

    private long count(String sql) {
        return server.sql().count(sql, project.id());
    }

    @Test
    void allNodesTogetherLogALimitedNumberOfRefusedAttemptsADayAndReportTheRest() {
        attack(ATTACK);
        assertThat(count(WRITTEN)).isEqualTo(PER_DAY);
        awaitReported(ATTACK - PER_DAY);
        assertThat(meter(server) + meter(otherNode)).isEqualTo(ATTACK - PER_DAY);
    }

    @Test
    void theRestIsReportedOnceAnHourAndNotForEachAttempt() {
        attack(ATTACK);
        awaitReported(ATTACK - PER_DAY);
        clock.advance(Duration.ofHours(1));
        attack(1);
        Eventually.until("it is reported at once", () -> count(REPORTED) == ATTACK + 1 - PER_DAY);
        var reports = count(REPORTS);
        attack(20);
        assertThat(count(REPORTS)).isEqualTo(reports);

        awaitReported(ATTACK + 21 - PER_DAY);
        assertThat(count(REPORTS)).isEqualTo(reports + 1);
    }

    @Test
    void theNextDayHasItsOwnLimitAndNothingOfThisDayIsLost() {
        attack(ATTACK);
        awaitReported(ATTACK - PER_DAY);
        attack(10);
        clock.advance(Duration.ofDays(1));
        Eventually.until("the rest is reported", () -> count(REPORTED) == ATTACK + 10 - PER_DAY);
        Eventually.until("the count of the day is gone", () -> count(COUNTED) == 0);
        attack(5);
        assertThat(count(WRITTEN)).isEqualTo(PER_DAY + 5);
    }

    @Test
    void changesAreRecordedAfterTheDailyLimitIsSpent() {
        attack(ATTACK);
        var email = TestServer.newEmail();
        project.signUp(email);
        project.signIn(email);
        assertThat(server.sql()
                        .texts(
                                "SELECT event FROM audit_log WHERE project_id = ?::uuid AND event IN"
                                        + " ('auth.signup', 'auth.signin') ORDER BY created_at, id",
                                project.id()))
                .containsExactly("auth.signup", "auth.signin");
    }

    @Test
    void aFloodInOneProjectTakesNothingFromAnothersLog() {
        attack(ATTACK);
        var other = server.newProject();
        other.trySignIn("nobody@example.com", "not the password").expect(401);
        Eventually.until("the other's is written", () -> server.sql().count(WRITTEN, other.id()) == 1);
    }

    private static double meter(TestServer node) {
        return node.metric("vestibule_audit_beyond_day_total");
    }
}
