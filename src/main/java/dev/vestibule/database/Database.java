package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's way to PostgreSQL. {@link #reads} pipelines short SELECTs over one connection. {@link #writes} gives
 * each statement its own connection, so that a statement that waits for a lock or the disk delays no reader, and
 * commits are flushed in groups. {@link #inTransaction} runs several statements in a transaction.
 *
 * <p>Each event loop of the API has connections of its own, which a call finds by itself: so no request changes
 * threads, and one object serves all loops. Where projects are spread over several databases, a call finds those to the
 * database that its context has {@linkplain #enter entered}.
 */
public final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int PING_SECONDS = 2;

    /** A second statement for so many costs each of them less than the wait for the first one to end. */
    private static final int ENOUGH_QUESTIONS = 24;

    private final VertxInternal vertx;
    private final ConnectionLimits limits;
    private final ServerConnections home;
    private final Map<Shard, ServerConnections> elsewhere; // empty if all projects are at home
    private final @Nullable ChangeFeed feed; // tells of moves; null if this is only one database
    private final Shard only;

    private Database(
            VertxInternal vertx,
            ConnectionLimits limits,
            ServerConnections home,
            Map<Shard, ServerConnections> elsewhere,
            @Nullable ChangeFeed feed,
            Shard only) {
        this.vertx = vertx;
        this.limits = limits;
        this.home = home;
        this.elsewhere = elsewhere;
        this.feed = feed;
        this.only = only;
    }

    /**
     * One database, and one set of connections, whatever thread asks. They open when they are first needed; metrics
     * identify them by the number.
     */
    public static Database open(Vertx vertx, Servers servers, ConnectionLimits limits, int number) {
        return open(vertx, Shard.HOME, servers, limits, number);
    }

    /** As {@link #open(Vertx, Servers, ConnectionLimits, int)}, for one of several databases. */
    public static Database open(Vertx vertx, Shard shard, Servers servers, ConnectionLimits limits, int number) {
        var internal = (VertxInternal) vertx;
        return new Database(
                internal, limits, ServerConnections.ofOneSet(internal, servers, limits, number), Map.of(), null, shard);
    }

    /**
     * All databases, for event loops, each of which calls {@link #open()} first and {@link #close} last.
     *
     * @param servers those of home, and of the others
     */
    public static Database ofEventLoops(
            Vertx vertx, Map<Shard, Servers> servers, ChangeFeed feed, ConnectionLimits limits, IntSupplier numbers) {
        var internal = (VertxInternal) vertx;
        Map<Shard, ServerConnections> all = new HashMap<>();
        servers.forEach((shard, of) -> all.put(shard, ServerConnections.ofEventLoops(internal, of, limits, numbers)));
        var home = Objects.requireNonNull(all.remove(Shard.HOME));
        return new Database(internal, limits, home, Map.copyOf(all), feed, Shard.HOME);
    }

    /** Gives the calling event loop connections of its own, which open when they are first needed. */
    public void open() {
        home.open();
        elsewhere.values().forEach(ServerConnections::open);
    }

    /** Whether there is more than one database. */
    public boolean isSpread() {
        return !elsewhere.isEmpty();
    }

    /** The only database of this object, or home. */
    public Shard shard() {
        return only;
    }

    /** All databases, home first. */
    public List<Shard> shards() {
        return Stream.concat(Stream.of(only), elsewhere.keySet().stream().sorted(Comparator.comparing(Shard::name)))
                .toList();
    }

    /** Home, whatever the calling context has entered. */
    public Database home() {
        return isSpread() ? at(Shard.HOME) : this;
    }

    /** One of the databases, whatever the calling context has entered; a 503 if this node knows none of the name. */
    public Database at(Shard shard) {
        return new Database(vertx, limits, of(shard), Map.of(), null, shard);
    }

    /**
     * From now on the calling context works for this project, in its database. It no longer does when the project has
     * begun to move.
     *
     * @param project null for one that never moves
     */
    public void enter(Shard shard, @Nullable UUID project) {
        var context = Vertx.currentContext();
        if (isSpread() && context != null) {
            new Entered(shard, project).put(context);
        }
    }

    /**
     * The calling context has committed what its caller must learn of, such as the successor of a refresh token. So
     * what little it still has to read is not refused when the project begins to move: a move waits for longer.
     */
    public void finishHere() {
        var context = Vertx.currentContext();
        if (isSpread() && context != null) {
            new Entered(Entered.here(), null).put(context);
        }
    }

    /** Whether the calling context works at home, as it always does where there is only one database. */
    public boolean isAtHome() {
        return !isSpread() || Entered.here().isHome();
    }

    private ServerConnections of(Shard shard) {
        var found = shard.equals(only) ? home : elsewhere.get(shard);
        if (found == null) {
            throw ShardErrors.notSetUp();
        }
        return found;
    }

    private ServerConnections connections() {
        return elsewhere.isEmpty() ? home : entered();
    }

    private ServerConnections entered() {
        var entered = Entered.current();
        if (entered == null) {
            return home;
        }
        if (feed != null && entered.project() != null) {
            feed.requireStays(entered.shard(), entered.project());
        }
        return of(entered.shard());
    }

    private LoopConnections mine() {
        return connections().mine();
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
                        limits.batchSize(),
                        ENOUGH_QUESTIONS,
                        limits.waitQueueSize(),
                        Duration.ofMillis(limits.waitMillis()),
                        time),
                this::connections, // fails if the caller's project moves
                statement);
    }

    /** Commits when the work succeeds and rolls back when it fails. The work must use only the given connection. */
    public <T> Future<T> inTransaction(Function<SqlConnection, Future<T>> work) {
        var mine = mine();
        return mine.inTransaction(mine.pool, work);
    }

    /**
     * Runs the part of a change at home that belongs to the project which the calling context has entered: in the given
     * transaction if the project is at home, and otherwise in one of its own database, which commits before home's. So
     * locks are taken at home first, and what a failure leaves behind is never a right at home without its consequence.
     */
    public <T> Future<T> inProject(SqlConnection atHome, Function<SqlConnection, Future<T>> work) {
        return connections() == home ? work.apply(atHome) : inTransaction(work);
    }

    private static final String SET_STATEMENT_TIME = "SELECT set_config('statement_timeout', $1, true)";

    /** Like {@link #inTransaction}, but PostgreSQL ends each statement of the work after this time. */
    public <T> Future<T> withStatementTime(Duration atMost, Function<SqlConnection, Future<T>> work) {
        return inTransaction(transaction -> Sql.run(transaction, SET_STATEMENT_TIME, Long.toString(atMost.toMillis()))
                .compose(set -> work.apply(transaction)));
    }

    private static final String PLAN_EACH_USE = "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)";

    /** Until the transaction ends, its statements are planned for the values of each use. */
    public static Future<Void> planEachUse(SqlConnection transaction) {
        return Sql.run(transaction, PLAN_EACH_USE).mapEmpty();
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
        var mine = mine();
        return mine.inTransaction(
                mine.snapshots,
                transaction -> transaction
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
        var server = connections();
        var connections = server.mine();
        if (server.isPooled()) {
            return work.apply(connections.pool); // no statement is prepared for more than one use
        }
        return connections.withConnection(
                connections.pool,
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
        return Future.join(Stream.concat(Stream.of(home), elsewhere.values().stream())
                        .map(ServerConnections::close)
                        .toList())
                .mapEmpty();
    }
}
