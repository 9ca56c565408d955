package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The doors to PostgreSQL of one event loop. {@link #reads} pipelines short SELECTs over one connection; {@link
 * #writes} gives a statement a connection for itself, so that one that waits for a lock or the disk holds up no reader
 * and commits are flushed in groups; {@link #inTransaction} is for what takes several statements.
 */
public final class Database {
    private static final int PING_SECONDS = 2;

    private final SqlClient reads;
    private final Pool pool;

    /** The bounds of one event loop's connections; a statement that finds no place in them is refused with a 503. */
    public record Limits(int poolSize, int waitQueueSize, int waitMillis, int pipelining) {}

    private Database(SqlClient reads, Pool pool) {
        this.reads = reads;
        this.pool = pool;
    }

    /** Opens the doors for the calling context; connections are made when they are first needed. The number names them in metrics. */
    public static Database open(Vertx vertx, Connection connection, Limits limits, int number) {
        var pipelined = new PoolOptions()
                .setName("reads-" + number)
                .setMaxSize(1)
                .setMaxWaitQueueSize(limits.waitQueueSize())
                .setConnectionTimeout(limits.waitMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        var pooled = new PoolOptions()
                .setName("writes-" + number)
                .setMaxSize(limits.poolSize())
                .setMaxWaitQueueSize(limits.waitQueueSize())
                .setConnectionTimeout(limits.waitMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        return new Database(
                PgBuilder.client()
                        .using(vertx)
                        .with(pipelined)
                        .with(connection.transport())
                        .connectingTo(named(connection, "reads-" + number).setPipeliningLimit(limits.pipelining()))
                        .build(),
                PgBuilder.pool()
                        .using(vertx)
                        .with(pooled)
                        .with(connection.transport())
                        .connectingTo(named(connection, "writes-" + number))
                        .build());
    }

    private static PgConnectOptions named(Connection connection, String name) {
        return (PgConnectOptions) new PgConnectOptions(connection.options()).setMetricsName(name);
    }

    public SqlClient reads() {
        return reads;
    }

    public SqlClient writes() {
        return pool;
    }

    /** Commits when the work succeeds and rolls back when it fails; the work must use only the client it is given. */
    public <T> Future<T> inTransaction(Function<SqlConnection, Future<T>> work) {
        return pool.withTransaction(work);
    }

    /** Succeeds where the database answers, and soon. */
    public Future<Void> ping() {
        return reads.query("SELECT 1")
                .execute()
                .timeout(PING_SECONDS, TimeUnit.SECONDS)
                .mapEmpty();
    }

    public Future<Void> close() {
        return Future.join(reads.close(), pool.close()).mapEmpty();
    }
}
