package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import org.HdrHistogram.Recorder;

/** The minimum work of a refresh, without a server around it: one committed UPDATE of its session by key. */
final class UpdateLoad implements Load {
    private static final int CONNECTIONS = 16; // the default of database.poolSize
    private static final String UPDATE = "UPDATE sessions SET last_active_at = now() WHERE project_id = $1 AND id = $2";

    private final Recorder latencies = new Recorder(3);
    private final Pool pool;
    private final Future<?> ends;
    private volatile boolean isStopped;

    private UpdateLoad(Vertx vertx, EmbeddedDatabase database, UUID project, List<UUID> sessions) {
        pool = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(CONNECTIONS))
                .connectingTo(database.options().setCachePreparedStatements(true))
                .using(vertx)
                .build();
        ends = Future.all(sessions.stream()
                .map(session -> work(Tuple.of(project, session)))
                .toList());
    }

    /** Each session is updated again when it has been. */
    static UpdateLoad start(Vertx vertx, EmbeddedDatabase database, UUID project, List<UUID> sessions) {
        return new UpdateLoad(vertx, database, project, sessions);
    }

    private Future<Void> work(Tuple key) {
        Promise<Void> end = Promise.promise();
        step(key, end);
        return end.future();
    }

    private void step(Tuple key, Promise<Void> end) {
        var sent = System.nanoTime();
        pool.preparedQuery(UPDATE).execute(key).onComplete(updated -> {
            latencies.recordValue(System.nanoTime() - sent);
            if (updated.failed() || updated.result().rowCount() != 1) {
                end.fail("an update failed: " + updated.cause());
            } else if (isStopped) {
                end.complete();
            } else {
                step(key, end);
            }
        });
    }

    @Override
    public Recorder latencies() {
        return latencies;
    }

    @Override
    public void stop() {
        isStopped = true;
        ends.await();
        pool.close().await();
    }
}
