package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.netty.channel.unix.Errors;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Classifies failures of statements: errors to report to the client, and conflicts that are worth a retry. */
public final class SqlFailures {
    private static final String QUERY_CANCELED = "57014";

    /**
     * Serialization failure, deadlock, lock timeout, query canceled, input or output failed (PostgreSQL, Appendix A).
     */
    private static final Set<String> TRANSIENT = Set.of("40001", "40P01", "55P03", QUERY_CANCELED, "58030");

    /** Disk full, out of memory, too many connections. */
    private static final String INSUFFICIENT_RESOURCES = "53";

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String FOREIGN_KEY_VIOLATION = "23503";
    private static final String PROJECT_FOREIGN_KEY = "_project_id_fkey";
    private static final String USER_FOREIGN_KEY = "_user_id_fkey";

    /** Conflicts with another transaction. The same statement may succeed if it is sent again. */
    private static final Set<String> RACES = Set.of(UNIQUE_VIOLATION, "40001", "40P01");

    /** Object not in prerequisite state, insufficient privilege, undefined function, feature not supported. */
    private static final Set<String> REFUSALS = Set.of("55000", "42501", "42883", "0A000");

    private static final String CONNECTION_CLASS = "08";
    private static final String OPERATOR_INTERVENTION = "57P";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private SqlFailures() {}

    /** The error to report to the client; empty if the failure is a defect of this server. */
    public static Optional<ApiException> error(Throwable failure) {
        if (isMissing(PROJECT_FOREIGN_KEY, failure)) {
            return Optional.of(ApiException.of(ErrorCode.PROJECT_DELETED, "The project was deleted."));
        }
        if (isMissing(USER_FOREIGN_KEY, failure)) {
            return Optional.of(ApiException.of(ErrorCode.NOT_FOUND, "The user was deleted."));
        }
        return isUnavailability(failure)
                ? Optional.of(ApiException.of(
                        ErrorCode.UNAVAILABLE, "The service is busy. Try again in a moment.", RETRY_AFTER))
                : Optional.empty();
    }

    /** Whether PostgreSQL has ended a statement, as it does when its time is over. */
    public static boolean isCanceled(Throwable failure) {
        return failure instanceof PgException sql && QUERY_CANCELED.equals(sql.getSqlState());
    }

    /** Whether a row with the same unique values already exists. */
    public static boolean isDuplicate(Throwable failure) {
        return failure instanceof PgException sql && UNIQUE_VIOLATION.equals(sql.getSqlState());
    }

    /** Whether a row with the same values already exists for the named index or constraint. */
    public static boolean isDuplicate(Throwable failure, String constraint) {
        return isDuplicate(failure) && constraint.equals(((PgException) failure).getConstraint());
    }

    /** The project or the user was deleted while a request about it was running. */
    private static boolean isMissing(String foreignKey, Throwable failure) {
        return failure instanceof PgException sql
                && FOREIGN_KEY_VIOLATION.equals(sql.getSqlState())
                && String.valueOf(sql.getConstraint()).endsWith(foreignKey);
    }

    /** Whether it was a conflict with another transaction, so that the work is worth a retry. */
    public static boolean isRace(Throwable failure) {
        return failure instanceof PgException sql && RACES.contains(String.valueOf(sql.getSqlState()));
    }

    /** Whether the server does not let this role call a function, now or ever. */
    static boolean isRefusal(Throwable failure) {
        return failure instanceof PgException sql && REFUSALS.contains(String.valueOf(sql.getSqlState()));
    }

    /** Whether any other statement would have failed too. */
    static boolean isUnavailability(Throwable failure) {
        if (failure instanceof PgException sql) {
            var state = sql.getSqlState();
            return state != null
                    && (TRANSIENT.contains(state)
                            || state.startsWith(CONNECTION_CLASS)
                            || state.startsWith(INSUFFICIENT_RESOURCES)
                            || state.startsWith(OPERATOR_INTERVENTION));
        }
        return failure instanceof ClosedConnectionException
                || failure instanceof SocketException
                || failure instanceof ClosedChannelException
                || failure instanceof Errors.NativeIoException
                || failure instanceof TimeoutException
                || isPoolFailure(failure);
    }

    /** The client's pool has no exception types for a full queue, a timeout or a lost connection, only messages. */
    private static boolean isPoolFailure(Throwable failure) {
        var message = String.valueOf(failure.getMessage());
        return message.equals("Timeout") // for a connection of one's own, and the next for a statement
                || message.startsWith("Timeout waiting for connection")
                || message.startsWith("Connection pool reached max wait queue size")
                || message.startsWith("Connection is not active")
                || message.startsWith("Pool closed");
    }
}
