package dev.vestibule.database;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import io.netty.channel.unix.Errors;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Tells what a client can be told of, such as a database that is away, from a defect of ours. */
public final class SqlFailures {
    /** Appendix A of PostgreSQL's manual: lock and statement time-outs, deadlock, serialization, too many clients. */
    private static final Set<String> TRANSIENT = Set.of("40001", "40P01", "53300", "55P03", "57014");

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String FOREIGN_KEY_VIOLATION = "23503";
    private static final String TO_PROJECT = "_project_id_fkey";

    /** What the same statement, sent again, may not meet again, since it sees what came between. */
    private static final Set<String> RACES = Set.of(UNIQUE_VIOLATION, "40001", "40P01");

    private static final String CONNECTION_CLASS = "08";
    private static final String OPERATOR_INTERVENTION = "57P";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private SqlFailures() {}

    /** The error that a client should see, if the cause is the state of the database rather than a defect of this server. */
    public static Optional<ApiException> error(Throwable failure) {
        if (isOfDeletedProject(failure)) {
            return Optional.of(ApiError.unauthorized("The project was deleted meanwhile."));
        }
        return isUnavailability(failure)
                ? Optional.of(ApiError.unavailable("The service is busy. Try again in a moment.", RETRY_AFTER))
                : Optional.empty();
    }

    /** Whether a row with the same unique values is there already. */
    public static boolean isDuplicate(Throwable failure) {
        return failure instanceof PgException sql && UNIQUE_VIOLATION.equals(sql.getSqlState());
    }

    /** A deleted project's row stays for a while; whoever writes to the project later still came with the old key. */
    private static boolean isOfDeletedProject(Throwable failure) {
        return failure instanceof PgException sql
                && FOREIGN_KEY_VIOLATION.equals(sql.getSqlState())
                && String.valueOf(sql.getConstraint()).endsWith(TO_PROJECT);
    }

    /** Whether another transaction came between, so that it is worth a second try. */
    public static boolean isRace(Throwable failure) {
        return failure instanceof PgException sql && RACES.contains(String.valueOf(sql.getSqlState()));
    }

    private static boolean isUnavailability(Throwable failure) {
        if (failure instanceof PgException sql) {
            var state = sql.getSqlState();
            return state != null
                    && (TRANSIENT.contains(state)
                            || state.startsWith(CONNECTION_CLASS)
                            || state.startsWith(OPERATOR_INTERVENTION));
        }
        return failure instanceof ClosedConnectionException
                || failure instanceof SocketException
                || failure instanceof ClosedChannelException
                || failure instanceof Errors.NativeIoException
                || failure instanceof TimeoutException
                || (failure instanceof VertxException pool && isPoolFailure(pool));
    }

    /** The client's pool has no exception types of its own for a full queue, a time-out or a lost connection. */
    private static boolean isPoolFailure(VertxException failure) {
        var message = String.valueOf(failure.getMessage());
        return message.startsWith("Timeout waiting for connection")
                || message.startsWith("Connection pool reached max wait queue size")
                || message.startsWith("Connection is not active")
                || message.startsWith("Pool closed");
    }
}
