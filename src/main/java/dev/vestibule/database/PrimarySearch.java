package dev.vestibule.database;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnectOptions;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the primary among several servers, and a new one after a failover.
 *
 * <p>It asks all servers at once for the timeline that they write, a number that each promotion of a standby raises,
 * and the highest wins; on the same timeline, the server that has given numbers to more transactions. It also checks
 * each new connection before its first use. This node never goes back to a lower timeline than one it has seen: a
 * replaced primary that comes back as a primary still has sessions that were revoked since. A connection needs no later
 * check, because a primary becomes a standby only by a restart, which ends the connection.
 *
 * <p>Some engines do not tell their timeline: Amazon Aurora's functions of the write-ahead log refuse by default. All
 * their primaries count as being on the first one. That is safe if the engine itself stops a replaced primary, as
 * shared storage with one writer does.
 */
final class PrimarySearch {
    private static final long STANDBY = 0;

    private static final String POSITION = """
            SELECT CASE WHEN pg_is_in_recovery() THEN 0
                   ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END AS timeline,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction
            """;

    private static final String POSITION_WITHOUT_TIMELINE = """
            SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END::bigint AS timeline,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction
            """;

    private static final Comparator<Position> BY_AGE =
            Comparator.comparingLong(Position::timeline).thenComparingLong(Position::nextTransaction);

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    /** How long to wait for the other servers once one has said that it is a primary. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private static final Duration IDLE_LIMIT = Duration.ofSeconds(2);

    private final List<Candidate> candidates;
    private final CoalescedCall<DatabaseHost> primary = new CoalescedCall<>(this::search);
    private final AtomicLong newestTimeline = new AtomicLong();

    private record Candidate(DatabaseHost host, SqlClient questions) {
        Future<Answer> ask() {
            return position(questions).map(position -> new Answer(host, position));
        }
    }

    /** How far a primary has come. */
    private record Position(long timeline, long nextTransaction) {}

    private record Answer(DatabaseHost host, Position position) {}

    PrimarySearch(Vertx vertx, List<DatabaseHost> hosts, NetClientOptions transport) {
        var oneForAWhile = new PoolOptions()
                .setName("primary-search")
                .setMaxSize(1)
                .setIdleTimeout((int) IDLE_LIMIT.toMillis())
                .setIdleTimeoutUnit(MILLISECONDS);
        candidates = hosts.stream()
                .map(host -> new Candidate(
                        host,
                        PgBuilder.pool()
                                .using(vertx)
                                .with(oneForAWhile)
                                .with(transport)
                                .connectingTo(() -> host.options().map(SqlConnectOptions.class::cast))
                                .build()))
                .toList();
    }

    Future<DatabaseHost> find() {
        return primary.get();
    }

    /** Whether the connection's server is a primary on the newest timeline that this node has seen. */
    Future<Boolean> isCurrent(SqlClient connection) {
        return position(connection).map(this::isNewest).otherwise(false);
    }

    private Future<DatabaseHost> search() {
        var answers = candidates.stream().map(Candidate::ask).toList();
        return Future.any(answers)
                .compose(first -> Future.join(answers).timeout(GRACE.toMillis(), MILLISECONDS))
                .transform(waited -> newest(answers))
                .recover(failure -> Future.failedFuture(noPrimary(failure)));
    }

    private Future<DatabaseHost> newest(List<Future<Answer>> answers) {
        return answers.stream()
                .filter(Future::succeeded)
                .map(Future::result)
                .max(Comparator.comparing(Answer::position, BY_AGE))
                .filter(answer -> isNewest(answer.position()))
                .map(answer -> Future.succeededFuture(answer.host()))
                .orElseGet(() -> Future.failedFuture("All that answer are standbys or were replaced"));
    }

    private boolean isNewest(Position position) {
        var timeline = position.timeline();
        return newestTimeline.accumulateAndGet(timeline, Math::max) == timeline;
    }

    private static Future<Position> position(SqlClient connection) {
        return ask(connection, POSITION)
                .recover(failure -> SqlFailures.isRefusal(failure)
                        ? ask(connection, POSITION_WITHOUT_TIMELINE)
                        : Future.failedFuture(failure))
                .compose(position -> position.timeline() == STANDBY
                        ? Future.failedFuture("It is a standby")
                        : Future.succeededFuture(position));
    }

    private static Future<Position> ask(SqlClient connection, String question) {
        return connection
                .query(question)
                .execute()
                .timeout(ANSWER_LIMIT.toMillis(), MILLISECONDS)
                .map(rows -> Rows.single(
                        rows, row -> new Position(row.getLong("timeline"), row.getLong("next_transaction"))));
    }

    private static ConnectException noPrimary(Throwable failure) {
        var none = new ConnectException("None of the servers of the database is a primary that is up to date");
        none.initCause(failure);
        return none;
    }
}
