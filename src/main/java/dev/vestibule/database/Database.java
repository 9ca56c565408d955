package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one event loop to PostgreSQL. {@link #reads} pipelines short SELECTs over one connection. {@link
 * #writes} gives each statement its own connection, so that a statement that waits for a lock or the disk delays no
 * reader, and commits are flushed in groups. {@link #inTransaction} runs several statements in a transaction.
 */
public final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int PING_SECONDS = 2;
    private static final int IDLE_SNAPSHOT_SECONDS = 10;
    private static final int CLOSED_SECONDS = 60; // after this long without use, it is probably closed

    private final SqlClient reads;
    private final Pool pool;
    private final Pool snapshots;
    private final VertxInternal vertx;
    private final Limits limits;
    private final boolean isPooled;
    private final Map<Integer, Long> plannedAt = new HashMap<>(); // in seconds, by a connection's server process

    /**
     * The limits of one event loop's connections. A statement that exceeds them fails, and the client gets a 503.
     *
     * @param batchSize the most questions that a {@link SharedStatement} asks at once
     * @param snapshots the most calls of {@link #inSnapshot} that run at once
     */
    public record Limits(
            int poolSize,
            int waitQueueSize,
            int waitMillis,
            int pipelining,
            int batchSize,
            int snapshots,
            Duration statementTime) {}

    private Database(Vertx vertx, Limits limits, boolean isPooled, SqlClient reads, Pool pool, Pool snapshots) {
        this.vertx = (VertxInternal) vertx;
        this.limits = limits;
        this.isPooled = isPooled;
        this.reads = reads;
        this.pool = pool;
        this.snapshots = snapshots;
    }

    /** For the calling context. Connections open when they are first needed; metrics identify them by the number. */
    public static Database open(Vertx vertx, Servers servers, Limits limits, int number) {
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
        return new Database(
                vertx,
                limits,
                servers.isPooled(),
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

    public SqlClient reads() {
        return reads;
    }

    public SqlClient writes() {
        return pool;
    }

    /**
     * Asks questions that arrive at the same time in one statement, which receives the questions and returns as many
     * answers.
     */
    public <Q extends SharedStatement.Question, A> SharedStatement<Q, A> shared(
            Function<List<Q>, Future<List<A>>> statement) {
        return shared(limits.statementTime(), statement);
    }

    /** Shares a statement that may take at most this long, or the usual limit if that is shorter. */
    public <Q extends SharedStatement.Question, A> SharedStatement<Q, A> shared(
            Duration atMost, Function<List<Q>, Future<List<A>>> statement) {
        var time = atMost.compareTo(limits.statementTime()) < 0 ? atMost : limits.statementTime();
        return new SharedStatement<>(
                vertx,
                new SharedStatement.Limits(
                        limits.batchSize(), limits.waitQueueSize(), Duration.ofMillis(limits.waitMillis()), time),
                statement);
    }

    /** Commits when the work succeeds and rolls back when it fails. The work must use only the given connection. */
    public <T> Future<T> inTransaction(Function<SqlConnection, Future<T>> work) {
        return pool.withTransaction(work);
    }

    /** The result of the work, all of whose changes are undone. The work must use only the given connection. */
    public <T> Future<T> inUndoneTransaction(Function<SqlConnection, Future<T>> work) {
        Promise<T> result = Promise.promise();
        var undone = new VertxException("the transaction is undone", true);
        return this.<T>inTransaction(transaction -> work.apply(transaction)
                        .onSuccess(result::complete)
                        .compose(done -> Future.failedFuture(undone)))
                .recover(failure -> failure == undone ? result.future() : Future.failedFuture(failure));
    }

    /**
     * Runs once the connection's transaction has committed, and never if it rolls back; runs immediately if there is
     * no transaction.
     */
    public static void afterCommit(SqlClient db, Runnable work) {
        var transaction = db instanceof SqlConnection connection ? connection.transaction() : null;
        if (transaction == null) {
            work.run();
        } else {
            transaction.completion().onSuccess(committed -> work.run());
        }
    }

    private static final String SET_LONGEST_PAUSE =
            "SELECT set_config('idle_in_transaction_session_timeout', $1, true)";

    /**
     * Reads, in any number of statements, what was committed when it began. It has its own connection, so that work
     * that takes minutes takes none from requests. A transaction keeps its session even in a pooler's transaction
     * mode.
     *
     * @param longestPause the longest pause between two statements; after it, PostgreSQL may end the transaction
     */
    public <T> Future<T> inSnapshot(Duration longestPause, Function<SqlConnection, Future<T>> work) {
        return snapshots.withTransaction(transaction -> transaction
                .query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                .execute()
                .compose(set -> transaction
                        .preparedQuery(SET_LONGEST_PAUSE)
                        .execute(Tuple.of(Long.toString(longestPause.toMillis()))))
                .compose(ready -> work.apply(transaction)));
    }

    /** Shows PostgreSQL that a transaction that has been idle for a while is still needed. */
    public static Future<Void> keepAlive(SqlClient transaction) {
        return transaction.query("SELECT").execute().mapEmpty();
    }

    /**
     * Like {@link #writes}, but with plans that are at most a second old, for tables that can grow from nothing to
     * hundreds of thousands of rows within a minute. PostgreSQL keeps a plan until autovacuum analyzes one of its
     * tables, and a plan for a nearly empty table reads it from end to end.
     */
    public <T> Future<T> withRecentPlans(Function<SqlClient, Future<T>> work) {
        if (isPooled) {
            return work.apply(pool); // no statement is prepared for more than one use
        }
        return pool.withConnection(
                connection -> discardOldPlans(connection).compose(discarded -> work.apply(connection)));
    }

    private Future<Void> discardOldPlans(SqlConnection connection) {
        var now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        var process = PgConnection.cast(connection).processId();
        if (plannedAt.getOrDefault(process, now - 1) == now) {
            return Future.succeededFuture();
        }
        plannedAt.values().removeIf(second -> second < now - CLOSED_SECONDS);
        plannedAt.put(process, now);
        return connection.query("DISCARD PLANS").execute().mapEmpty();
    }

    /** Fails if the database does not answer within two seconds. */
    public Future<Void> ping() {
        return reads.query("SELECT 1")
                .execute()
                .timeout(PING_SECONDS, TimeUnit.SECONDS)
                .mapEmpty();
    }

    /** Through a pooler, only the role's settings can let PostgreSQL end a statement that runs too long. */
    public void warnAboutUnboundedStatements() {
        reads.query("SHOW statement_timeout")
                .execute()
                .map(rows -> rows.iterator().next().getString(0))
                .onSuccess(timeout -> {
                    if (timeout.equals("0")) {
                        LOG.warn(
                                "A statement that waits for a lock can run forever: through a pooler in transaction mode"
                                        + " this server cannot limit it. Let the database's role do so: ALTER ROLE … SET"
                                        + " statement_timeout = '10s'");
                    }
                });
    }

    public Future<Void> close() {
        return Future.join(reads.close(), pool.close(), snapshots.close()).mapEmpty();
    }
}
