package dev.vestibule.database;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's way to PostgreSQL. {@link #reads} pipelines short SELECTs over one connection. {@link #writes} gives
 * each statement its own connection, so that a statement that waits for a lock or the disk delays no reader, and
 * commits are flushed in groups. {@link #inTransaction} runs several statements in a transaction.
 *
 * <p>Each event loop of the API has connections of its own, which a call finds by itself: so no request changes
 * threads, and one object serves all loops.
 */
public final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int PING_SECONDS = 2;

    private final VertxInternal vertx;
    private final Servers servers;
    private final ConnectionLimits limits;
    private final IntSupplier numbers;
    private final Map<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();
    private volatile @Nullable LoopConnections first;

    private Database(Vertx vertx, Servers servers, ConnectionLimits limits, IntSupplier numbers) {
        this.vertx = (VertxInternal) vertx;
        this.servers = servers;
        this.limits = limits;
        this.numbers = numbers;
    }

    /**
     * One set of connections, whatever thread asks. They open when they are first needed; metrics identify them by the
     * number.
     */
    public static Database open(Vertx vertx, Servers servers, ConnectionLimits limits, int number) {
        var database = new Database(vertx, servers, limits, () -> number);
        database.first = LoopConnections.open(vertx, servers, limits, number);
        return database;
    }

    /** A database for event loops, each of which calls {@link #open()} first and {@link #close} last. */
    public static Database ofEventLoops(Vertx vertx, Servers servers, ConnectionLimits limits, IntSupplier numbers) {
        return new Database(vertx, servers, limits, numbers);
    }

    /**
     * Gives the calling event loop connections of its own, which open when they are first needed. Two verticles may
     * have got the same loop, and then share them.
     */
    public synchronized void open() {
        var mine = loops.computeIfAbsent(
                vertx.getOrCreateContext().nettyEventLoop(),
                loop -> LoopConnections.open(vertx, servers, limits, numbers.getAsInt()));
        mine.users++;
        if (first == null) {
            first = mine;
        }
    }

    /**
     * Those of the calling event loop; a thread without any shares the first, as the work of tests and commands does.
     */
    private LoopConnections mine() {
        var context = (ContextInternal) Vertx.currentContext();
        var own = context == null ? null : loops.get(context.nettyEventLoop());
        var found = own == null ? first : own;
        if (found == null) {
            throw new IllegalStateException("No connections to the database have been opened");
        }
        return found;
    }

    public SqlClient reads() {
        return mine().reads;
    }

    public SqlClient writes() {
        return mine().pool;
    }

    /**
     * Asks questions that arrive at the same time on an event loop in one statement, which receives the questions and
     * returns as many answers.
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
        return mine().pool.withTransaction(work);
    }

    private static final String SET_STATEMENT_TIME = "SELECT set_config('statement_timeout', $1, true)";

    /** Like {@link #inTransaction}, but PostgreSQL ends each statement of the work after this time. */
    public <T> Future<T> withStatementTime(Duration atMost, Function<SqlConnection, Future<T>> work) {
        return inTransaction(transaction -> Sql.run(transaction, SET_STATEMENT_TIME, Long.toString(atMost.toMillis()))
                .compose(set -> work.apply(transaction)));
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
     * Runs once the connection's transaction has committed, and never if it rolls back; runs immediately if there is no
     * transaction.
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
     * that takes minutes takes none from requests. A transaction keeps its session even in a pooler's transaction mode.
     *
     * @param longestPause the longest pause between two statements; after it, PostgreSQL may end the transaction
     */
    public <T> Future<T> inSnapshot(Duration longestPause, Function<SqlConnection, Future<T>> work) {
        return mine().snapshots
                .withTransaction(transaction -> transaction
                        .query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                        .execute()
                        .compose(set -> Sql.run(transaction, SET_LONGEST_PAUSE, Long.toString(longestPause.toMillis())))
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
        var connections = mine();
        if (servers.isPooled()) {
            return work.apply(connections.pool); // no statement is prepared for more than one use
        }
        return connections.pool.withConnection(
                connection -> connections.discardOldPlans(connection).compose(discarded -> work.apply(connection)));
    }

    /** Fails if the database does not answer within two seconds. */
    public Future<Void> ping() {
        return reads().query("SELECT 1")
                .execute()
                .timeout(PING_SECONDS, TimeUnit.SECONDS)
                .mapEmpty();
    }

    /** How long the database takes to answer; fails as {@link #ping} does. */
    public Future<Duration> answerTime() {
        var askedAt = System.nanoTime();
        return ping().map(answered -> Duration.ofNanos(System.nanoTime() - askedAt));
    }

    /** Through a pooler, only the role's settings can let PostgreSQL end a statement that runs too long. */
    public void warnAboutUnboundedStatements() {
        reads().query("SHOW statement_timeout")
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

    /** Closes the connections of the calling event loop once all who opened them have, or the only ones. */
    public Future<Void> close() {
        var closing = mine();
        return isLast(closing) ? closing.close() : Future.succeededFuture();
    }

    private synchronized boolean isLast(LoopConnections closing) {
        closing.users--;
        if (closing.users > 0) {
            return false;
        }
        loops.values().remove(closing);
        if (first == closing && !loops.isEmpty()) {
            first = loops.values().iterator().next(); // for threads without connections of their own
        }
        return true;
    }
}
