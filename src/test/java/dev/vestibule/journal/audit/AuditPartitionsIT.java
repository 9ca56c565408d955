package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the audit log keeps its rows: they never change, and they are gone after the retention. */
@ExtendWith(WithServer.class)
class AuditPartitionsIT {
    private static final String INSERT = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, event)
            VALUES (?::uuid, ?::timestamptz, gen_random_uuid(), 'system', 'auth.signin')
            """;
    private static final String PARTITIONS = """
            SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'audit_log'::regclass ORDER BY 1
            """;
    private static final String PARTITION_OF = """
            SELECT tableoid::regclass::text FROM audit_log WHERE created_at = ?::timestamptz
            """;
    private static final DateTimeFormatter MONTH =
            DateTimeFormatter.ofPattern("'audit_log_'uuuu_MM").withZone(ZoneOffset.UTC);

    private final TestDatabase database;
    private final TestServer server;

    AuditPartitionsIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE audit_log SET event = 'auth.signout' WHERE project_id = '%s'",
                "UPDATE %2$s SET event = 'auth.signout' WHERE project_id = '%1$s'",
                "DELETE FROM audit_log WHERE project_id = '%s'",
                "DELETE FROM %2$s WHERE project_id = '%1$s'",
                "TRUNCATE audit_log",
                "TRUNCATE %2$s",
                "TRUNCATE audit_log_default"
            })
    void entriesCannotBeChangedOrRemoved(String statement) {
        var project = server.newProject().id();
        var now = Instant.now();
        server.sql().update(INSERT, project, now.toString());

        assertThatThrownBy(() -> server.sql().update(statement.formatted(project, MONTH.format(now))))
                .hasRootCauseInstanceOf(SQLException.class)
                .hasMessageContaining("audit_log is append-only");
        assertThat(server.sql().texts("SELECT event FROM audit_log WHERE created_at = ?::timestamptz", now.toString()))
                .containsExactly("auth.signin");
    }

    @Test
    void theStartCreatesThisMonthAndTheNextThree() {
        var clock = new TestClock();
        try (var own = TestServer.start(database, Map.of(), clock)) {
            var thisMonth = clock.instant().atOffset(ZoneOffset.UTC).withDayOfMonth(1);
            assertThat(own.sql().texts(PARTITIONS))
                    .contains(
                            MONTH.format(thisMonth),
                            MONTH.format(thisMonth.plusMonths(1)),
                            MONTH.format(thisMonth.plusMonths(2)),
                            MONTH.format(thisMonth.plusMonths(3)));
        }
    }

    @Test
    void aServerThatWasOffForMonthsCreatesThePartitionsBeforeItServes() {
        var url = database.createDatabase();
        var clock = new TestClock();
        TestServer.startOn(url, Map.of(), clock).close();
        clock.advance(Duration.ofDays(200));
        var later = clock.instant();
        try (var restarted = TestServer.startOn(url, Map.of(), clock)) {
            restarted.newProject().signUp();

            assertThat(restarted
                            .sql()
                            .texts("SELECT DISTINCT tableoid::regclass::text FROM audit_log WHERE event ="
                                    + " 'auth.signup'"))
                    .containsExactly(MONTH.format(later));
        }
    }

    @Test
    void aNodeWithAWrongClockLosesNoEntry() {
        var farAhead = "2099-05-05T00:00:00Z";
        server.sql().update(INSERT, UUID.randomUUID().toString(), farAhead);

        assertThat(server.sql().texts(PARTITION_OF, farAhead)).containsExactly("audit_log_default");
    }

    @Test
    void aMonthWhoseFirstEntryCameTooEarlyStaysInTheDefaultPartition() {
        var sql = new Sql(migrated());
        sql.update(INSERT, UUID.randomUUID().toString(), "2098-05-05T00:00:00Z");
        sql.texts("SELECT make_audit_log_months('2098-05-01T00:00:00Z')");
        sql.update(INSERT, UUID.randomUUID().toString(), "2098-05-06T00:00:00Z");
        sql.update(INSERT, UUID.randomUUID().toString(), "2098-06-06T00:00:00Z");

        assertThat(sql.texts(PARTITION_OF, "2098-05-06T00:00:00Z")).containsExactly("audit_log_default");
        assertThat(sql.texts(PARTITION_OF, "2098-06-06T00:00:00Z")).containsExactly("audit_log_2098_06");
    }

    private String migrated() {
        var url = database.createDatabase();
        TestServer.startOn(url, Map.of(), new TestClock()).close();
        return url;
    }

    @Test
    void entriesOlderThanTheRetentionAreDroppedByWholeMonths() {
        var url = database.createDatabase();
        var clock = new TestClock();
        try (var server = TestServer.startOn(url, Map.of(), clock)) {
            server.sql().texts("SELECT make_audit_log_months(now() - interval '20 months')");
            server.sql().update(INSERT, UUID.randomUUID().toString(), ago(600));
            server.sql().update(INSERT, UUID.randomUUID().toString(), ago(100));
        }
        try (var restarted = TestServer.startOn(url, Map.of(), clock)) {
            Eventually.until(
                    "the old month is gone",
                    () -> restarted
                            .sql()
                            .texts("SELECT event FROM audit_log WHERE created_at < now() - interval '2 days'")
                            .equals(List.of("auth.signin")));
            assertThat(restarted.sql().texts(PARTITIONS)).doesNotContain(MONTH.format(Instant.parse(ago(600))));
        }
    }

    @Test
    void entriesOutsideOfAllMonthsAreRemovedOnceAllAreOld() {
        var url = database.createDatabase();
        var clock = new TestClock();
        try (var server = TestServer.startOn(url, Map.of(), clock)) {
            server.sql().update(INSERT, UUID.randomUUID().toString(), ago(500));
            server.sql().update(INSERT, UUID.randomUUID().toString(), ago(300));
        }
        try (var restarted = TestServer.startOn(url, Map.of(), clock)) {
            assertThat(restarted.sql().count("SELECT count(*) FROM audit_log_default"))
                    .isEqualTo(2);
        }
        clock.advance(Duration.ofDays(70));
        try (var restarted = TestServer.startOn(url, Map.of(), clock)) {
            assertThat(restarted.sql().count("SELECT count(*) FROM audit_log_default"))
                    .isZero();
            restarted.sql().update(INSERT, UUID.randomUUID().toString(), ago(500));
            assertThatThrownBy(() -> restarted.sql().update("TRUNCATE audit_log_default"))
                    .hasMessageContaining("append-only");
        }
    }

    private static String ago(int days) {
        return Instant.now().minus(Duration.ofDays(days)).toString();
    }
}
