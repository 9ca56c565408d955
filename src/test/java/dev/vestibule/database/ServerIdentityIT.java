package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.database.ChangeStore.Reading;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.ReplicatedPostgres;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The signs by which the change feed notices that a server was replaced, restarted or crashed between two readings. */
@TakesLong("Each test starts a primary and a standby, and ends one of them.")
class ServerIdentityIT {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE project_changes (project_id uuid, transaction_id xid8, changed_at timestamptz DEFAULT now())",
            "CREATE TABLE revocations (project_id uuid, transaction_id xid8)",
            "CREATE TABLE projects (id uuid, leaves_until timestamptz, arrives boolean, has_left_rows boolean)");
    private static final int SESSIONS = 4;

    private final Vertx vertx = Vertx.vertx();
    private final ReplicatedPostgres postgres;
    private final Sql sql;
    private final Database direct;
    private final Database pooled;

    ServerIdentityIT(@TempDir Path folder) {
        postgres = ReplicatedPostgres.start(folder);
        sql = new Sql(postgres.url());
        TABLES.forEach(sql::update);
        sql.update("ALTER DATABASE vestibule SET synchronous_commit = local"); // a standby comes back late
        direct = TestDatabase.connect(vertx, postgres.url(), SESSIONS);
        pooled = TestDatabase.connectAsToPooler(vertx, postgres.url(), SESSIONS);
    }

    @AfterEach
    void stop() {
        Future.join(direct.close(), pooled.close()).eventually(vertx::close).await();
        postgres.close();
    }

    private static Reading read(Database database, @Nullable Reading last) {
        return new ChangeStore()
                .read(database.reads(), last == null ? null : last.snapshot())
                .await();
    }

    /** The first reading after an outage. */
    private static Reading readAgain(Database database, Reading last) {
        var reading = new AtomicReference<@Nullable Reading>();
        Eventually.until("the database answers", () -> {
            try {
                reading.set(read(database, last));
                return true;
            } catch (Exception notYet) { // await throws causes as they are, and a refused connection is checked
                return false;
            }
        });
        return Objects.requireNonNull(reading.get());
    }

    @Test
    void allSessionsOfAPoolerAreThoseOfOneServer() {
        var readings = IntStream.range(0, SESSIONS)
                .mapToObj(each -> new ChangeStore().read(pooled.reads(), null))
                .toList();
        Future.join(readings).await();

        assertThat(readings)
                .extracting(read -> read.result().server())
                .containsOnly(read(pooled, null).server());
        assertThat(sql.count("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%follows_last%'"))
                .as("sessions that have read")
                .isGreaterThan(1);
    }

    /** The main process survives, and with it the start time. */
    @Test
    void aServerThatRecoveredFromACrashOfOneProcessIsAnotherRun() {
        var startedAt = sql.texts("SELECT pg_postmaster_start_time()");
        var before = Stream.of(direct, pooled).map(each -> read(each, null)).toList();

        postgres.first().crash();

        assertThat(sql.texts("SELECT pg_postmaster_start_time()")).isEqualTo(startedAt);
        assertThat(readAgain(direct, before.get(0)).server())
                .isNotEqualTo(before.get(0).server());
        assertThat(readAgain(pooled, before.get(1)).server())
                .isNotEqualTo(before.get(1).server());
    }

    /** To the last snapshot, its row looks as if it had been read. */
    @Test
    void aChangeUnderTheNumberOfALostTransactionIsNotMissed() {
        var project = UUID.randomUUID();
        read(direct, null); // so that it is connected
        var last = new AtomicReference<@Nullable Reading>();
        postgres.first().crashAfter(() -> {
            sql.update(
                    "DO $$BEGIN PERFORM pg_current_xact_id(); END$$"); // writes nothing, so nobody waits for the disk
            last.set(read(direct, null));
        });
        sql.update("INSERT INTO project_changes VALUES (?, pg_current_xact_id())", project);

        var before = Objects.requireNonNull(last.get());
        var reading = readAgain(direct, before);
        assertThat(reading.server()).isNotEqualTo(before.server());
    }

    @Test
    void aPromotedStandbyIsAnotherServer() {
        var before = Stream.of(direct, pooled).map(each -> read(each, null)).toList();

        postgres.first().kill();
        postgres.second().promote();

        assertThat(readAgain(direct, before.get(0)).server())
                .isNotEqualTo(before.get(0).server());
        assertThat(readAgain(pooled, before.get(1)).server())
                .isNotEqualTo(before.get(1).server());
    }
}
