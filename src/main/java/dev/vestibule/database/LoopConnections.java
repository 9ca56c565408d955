package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The connections of one event loop, or of all callers of a {@link Database} that has only one set. */
final class LoopConnections {
    private static final int IDLE_SNAPSHOT_SECONDS = 10;
    private static final int CLOSED_SECONDS = 60; // after this long without use, it is probably closed

    final SqlClient reads;
    final Pool pool;
    final Pool snapshots;
    int users; // guarded by the database
    private final Map<Integer, Long> plannedAt = new ConcurrentHashMap<>(); // in seconds, by server process

    private LoopConnections(SqlClient reads, Pool pool, Pool snapshots) {
        this.reads = reads;
        this.pool = pool;
        this.snapshots = snapshots;
    }

    static LoopConnections open(Vertx vertx, Servers servers, ConnectionLimits limits, int number) {
        var pipelined = new PoolOptions()
                .setName("reads-" + number)
                .setMaxSize(servers.isPooled() ? limits.poolSize() : 1) // connections to a pooler cannot be pipelined
                .setMaxWaitQueueSize(limits.waitQueueSize())
                .setConnectionTimeout(limits.waitMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        var pooled = new PoolOptions()
                .setName("writes-" + number)
                .setMaxSize(limits.poolSize())
                .setMaxWaitQueueSize(limits.waitQueueSize())
                .setConnectionTimeout(limits.waitMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        var snapshotOptions = new PoolOptions(pooled)
                .setName("snapshots-" + number)
                .setMaxSize(limits.snapshots())
                .setIdleTimeout(IDLE_SNAPSHOT_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
        return new LoopConnections(
                PgBuilder.client()
                        .using(vertx)
                        .with(pipelined)
                        .with(servers.transport())
                        .connectingTo(() -> servers.next()
                                .map(server ->
                                        named(server, "reads-" + number).setPipeliningLimit(limits.pipelining())))
                        .withConnectHandler(servers.check())
                        .build(),
                PgBuilder.pool()
                        .using(vertx)
                        .with(pooled)
                        .with(servers.transport())
                        .connectingTo(() -> servers.next().map(server -> named(server, "writes-" + number)))
                        .withConnectHandler(servers.check())
                        .build(),
                PgBuilder.pool()
                        .using(vertx)
                        .with(snapshotOptions)
                        .with(servers.transport())
                        .connectingTo(() -> servers.next().map(server -> named(server, "snapshots-" + number)))
                        .withConnectHandler(servers.check())
                        .build());
    }

    private static PgConnectOptions named(PgConnectOptions server, String name) {
        return (PgConnectOptions) Connection.copy(server).setMetricsName(name);
    }

    Future<Void> discardOldPlans(SqlConnection connection) {
        var now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        var process = PgConnection.cast(connection).processId();
        if (plannedAt.getOrDefault(process, now - 1) == now) {
            return Future.succeededFuture();
        }
        plannedAt.values().removeIf(second -> second < now - CLOSED_SECONDS);
        plannedAt.put(process, now);
        return connection.query("DISCARD PLANS").execute().mapEmpty();
    }

    Future<Void> close() {
        return Future.join(reads.close(), pool.close(), snapshots.close()).mapEmpty();
    }
}
