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
import java.util.function.Function;

/** The connections of one event loop, or of all callers of a {@link Database} that has only one set. */
final class LoopConnections {
    private static final int IDLE_SNAPSHOT_SECONDS = 10;
    private static final int CLOSED_SECONDS = 60; // after this long without use, it is probably closed

    final SqlClient reads;
    final Pool pool;
    final Pool snapshots;
    private final long lostMillis; // after this long, no connection comes any more
    int users; // guarded by the database
    private final Map<Integer, Long> plannedAt = new ConcurrentHashMap<>(); // in seconds, by server process

    private LoopConnections(SqlClient reads, Pool pool, Pool snapshots, int waitMillis) {
        this.reads = reads;
        this.pool = pool;
        this.snapshots = snapshots;
        this.lostMillis = 2L * waitMillis;
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
                        .build(),
                limits.waitMillis());
    }

    private static PgConnectOptions named(PgConnectOptions server, String name) {
        return (PgConnectOptions) Connection.copy(server).setMetricsName(name);
    }

    /**
     * Gives the work a connection for itself. The pool's limit on the wait is not enough: if a caller on a worker's
     * thread gives up just as its connection is ready, the pool of vertx-sql-client 5.0.12 answers nothing, ever.
     */
    <T> Future<T> withConnection(Pool of, Function<SqlConnection, Future<T>> work) {
        var asked = of.getConnection();
        return asked.timeout(lostMillis, TimeUnit.MILLISECONDS)
                .onFailure(lost -> asked.onSuccess(SqlConnection::close))
                .compose(connection ->
                        Future.succeededFuture(connection).compose(work).onComplete(done -> connection.close()));
    }

    /** Commits when the work succeeds and rolls back when it fails. */
    <T> Future<T> inTransaction(Pool of, Function<SqlConnection, Future<T>> work) {
        return withConnection(
                of,
                connection -> connection
                        .begin()
                        .compose(transaction -> Future.succeededFuture(connection)
                                .compose(work)
                                .compose(
                                        result -> transaction.commit().map(result),
                                        failure -> transaction
                                                .rollback()
                                                .transform(undone -> Future.failedFuture(failure)))));
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
