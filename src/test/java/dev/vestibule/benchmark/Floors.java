package dev.vestibule.benchmark;

import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.benchmark.Load.Figure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** Upper bounds for any server: the same work without a server around it. */
final class Floors {
    private static final int MEMORY_KIB = 19456;
    private static final int ITERATIONS = 2;
    private static final int LANES = 1;
    private static final int CONNECTIONS = 16; // the default of database.poolSize

    private Floors() {}

    /** Password hashes at the default cost, on as many threads as there are cores. */
    static double hashesPerSecond(Duration time) throws InterruptedException {
        var threads = Runtime.getRuntime().availableProcessors();
        var pool = Executors.newFixedThreadPool(threads);
        var hashes = new LongAdder();
        var start = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> {
                var argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
                var password = "correct horse battery".getBytes(StandardCharsets.UTF_8);
                while (System.nanoTime() - start < time.toNanos()) {
                    var hash = argon2.hash(ITERATIONS, MEMORY_KIB, LANES, password);
                    hashes.add(hash.isEmpty() ? 0 : 1);
                }
            });
        }
        pool.shutdown();
        if (!pool.awaitTermination(2 * time.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("hashing does not end");
        }
        return hashes.sum() * 1e9 / (System.nanoTime() - start);
    }

    /** The minimum work of a refresh: one committed UPDATE of its session by key. */
    static Figure updates(Vertx vertx, Path dataDir, UUID project, List<UUID> sessions, Duration warmUp, Duration time)
            throws IOException {
        var pool = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(CONNECTIONS))
                .connectingTo(address(dataDir))
                .using(vertx)
                .build();
        var latencies = new ConcurrentHistogram(3);
        var from = System.nanoTime() + warmUp.toNanos();
        var until = from + time.toNanos();
        Future.all(sessions.stream()
                        .map(session -> new Updates(pool, Tuple.of(project, session), from, until, latencies).run())
                        .toList())
                .await();
        pool.close().await();
        return new Figure(
                latencies.getTotalCount() * 1e9 / time.toNanos(),
                latencies.getValueAtPercentile(50) / 1e6,
                latencies.getValueAtPercentile(99) / 1e6);
    }

    /** One session's updates, one after another. */
    private record Updates(Pool pool, Tuple key, long from, long until, ConcurrentHistogram latencies) {
        private static final String UPDATE =
                "UPDATE sessions SET last_active_at = now() WHERE project_id = $1 AND id = $2";

        Future<Void> run() {
            Promise<Void> end = Promise.promise();
            step(end);
            return end.future();
        }

        private void step(Promise<Void> end) {
            var sent = System.nanoTime();
            pool.preparedQuery(UPDATE).execute(key).onComplete(updated -> {
                var now = System.nanoTime();
                if (updated.failed() || updated.result().rowCount() != 1) {
                    end.tryFail("an update failed: " + updated.cause());
                    return;
                }
                if (now >= from && now < until) {
                    latencies.recordValue(now - sent);
                }
                if (now < until) {
                    step(end);
                } else {
                    end.tryComplete();
                }
            });
        }
    }

    private static PgConnectOptions address(Path dataDir) throws IOException {
        var pidFile = Files.readAllLines(dataDir.resolve("postgres/postmaster.pid"));
        return new PgConnectOptions()
                .setHost("127.0.0.1")
                .setPort(Integer.parseInt(pidFile.get(3).strip()))
                .setUser("vestibule")
                .setDatabase("vestibule")
                .setPassword(
                        Files.readString(dataDir.resolve("postgres.password")).strip())
                .setCachePreparedStatements(true);
    }
}
