package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a project notices while another, of a million users with three sessions each, is deleted: {@code mvn -q verify
 * -Pbenchmark -Dit.test=DeletionBenchmark}.
 */
@ExtendWith(WithServer.class)
class DeletionBenchmark {
    private static final int USERS = Integer.getInteger("benchmark.users", 1_000_000);
    private static final int SESSIONS_EACH = 3;
    private static final int CLIENTS = 4;
    private static final Duration TIME = Duration.ofSeconds(30);

    private static final String SEED = """
            SET session_replication_role = replica;
            INSERT INTO users (project_id, id, email, display_name, password_hash, created_at, updated_at)
            SELECT '%1$s', uuidv7(), number || '@example.com', 'User ' || number, repeat('x', 97), now(), now()
            FROM generate_series(1, %2$d) AS number;
            INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, rotated_at, created_at,
                                  last_active_at, expires_at)
            SELECT project_id, uuidv7(), id, repeat('a browser ', 10), '203.0.113.7', now(), now(), now(),
                   now() + interval '7 days'
            FROM users, generate_series(1, %3$d) WHERE project_id = '%1$s';
            INSERT INTO counts VALUES ('%1$s', 0, %2$d, %2$d * %3$d)
            """;

    private final Table table = new Table();
    private final Sql sql;
    private final JarCommand command;

    DeletionBenchmark(TestDatabase database, @TempDir Path folder) {
        var url = database.createDatabase();
        sql = new Sql(url);
        command = JarCommand.unconfigured(folder)
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .with("VESTIBULE_LIMITS_ENABLED", "false")
                .with("VESTIBULE_DATABASE_URL", url)
                .with("VESTIBULE_SECRET", TestServer.SECRET);
    }

    @Test
    void figures() {
        try (var server = command.start()) {
            var first = server.firstProject();
            var other = first.through(ApiClient.undescribed(first.api().base()));
            var big = TestProject.create(first.api(), first.owner(), Map.of("name", "Big"));
            sql.update(SEED.formatted(big.id(), USERS, SESSIONS_EACH));
            sql.update("VACUUM ANALYZE");
            sql.update("CHECKPOINT");
            measure("warming up", other, after(TIME));
            measure("without a deletion", other, after(TIME));
            var begin = System.nanoTime();
            big.asOwner("DELETE", "").expect(200);
            table.line("the deletion answers after %d ms", millisSince(begin));
            measure("beside the deletion", other, () -> isGone(big));
            table.line("the last row is gone after %d ms", millisSince(begin));
            measure("without a deletion, afterwards", other, after(TIME));
        }
    }

    private static BooleanSupplier after(Duration time) {
        var end = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() > end;
    }

    private boolean isGone(TestProject project) {
        return sql.count("SELECT count(*) FROM projects WHERE id = ?::uuid", project.id()) == 0;
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    /** Clients sign up and refresh until the end is come. */
    private void measure(String when, TestProject project, BooleanSupplier end) {
        var signUps = new ConcurrentHistogram(3);
        var refreshes = new ConcurrentHistogram(3);
        var clients = new ArrayList<CompletableFuture<Void>>();
        var stop = new AtomicBoolean();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(CompletableFuture.runAsync(
                    () -> {
                        while (!stop.get()) {
                            var sent = System.nanoTime();
                            var token = project.signUp().refreshToken();
                            signUps.recordValue(System.nanoTime() - sent);
                            for (int j = 0; j < 5; j++) {
                                sent = System.nanoTime();
                                token = project.refresh(token).expect(200).refreshToken();
                                refreshes.recordValue(System.nanoTime() - sent);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        while (!end.getAsBoolean()) {
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
        stop.set(true);
        clients.forEach(CompletableFuture::join);
        print(when, "sign up", signUps);
        print(when, "refresh", refreshes);
    }

    private void print(String when, String what, ConcurrentHistogram times) {
        table.line(
                "%s, %s: %d, median %.1f ms, p99 %.1f ms, longest %.1f ms",
                when,
                what,
                times.getTotalCount(),
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getMaxValue() / 1e6);
    }
}
