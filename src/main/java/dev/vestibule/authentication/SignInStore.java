package dev.vestibule.authentication;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The account that a password sign in is for, and the failed sign ins of its email. */
public final class SignInStore {
    /** What is known of an email: its account, if there is one, and its lock, if it is or was locked. */
    public record SignInLookup(
            Optional<Account> account, @Nullable Instant lockedUntil) {}

    private static final String FIND = """
            SELECT %s, users.password_hash, failures.locked_until
            FROM (SELECT) AS always
            LEFT JOIN users ON users.project_id = $1 AND users.email = $2
            LEFT JOIN sign_in_failures AS failures ON failures.project_id = $1 AND failures.email_hash = $3
            """.formatted(UserRows.COLUMNS);

    public Future<SignInLookup> find(SqlClient db, ProjectId project, String email, Buffer emailHash) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value(), email, emailHash))
                .map(rows -> Rows.single(rows, SignInStore::lookup));
    }

    private static SignInLookup lookup(Row row) {
        Optional<Account> account = row.getUUID("id") == null
                ? Optional.empty()
                : Optional.of(new Account(UserRows.user(row), row.getString("password_hash")));
        return new SignInLookup(account, Rows.optionalInstant(row, "locked_until"));
    }

    private static final String COUNT_FAILURE = """
            INSERT INTO sign_in_failures AS counted (project_id, email_hash, failures, window_start, locked_until)
            VALUES ($1, $2, 1, $3, CASE WHEN $5 <= 1 THEN $6::timestamptz END)
            ON CONFLICT (project_id, email_hash) DO UPDATE
            SET failures = CASE WHEN counted.window_start <= $4 THEN 1 ELSE counted.failures + 1 END,
                window_start = CASE WHEN counted.window_start <= $4 THEN $3 ELSE counted.window_start END,
                locked_until = CASE
                    WHEN counted.locked_until > $3 THEN counted.locked_until
                    WHEN counted.window_start <= $4 THEN excluded.locked_until
                    WHEN counted.failures + 1 >= $5 THEN $6
                    ELSE counted.locked_until END
            RETURNING failures, locked_until
            """;

    /** The failures of an email after one more. */
    record Count(int failures, @Nullable Instant lockedUntil) {}

    /** Counts one more failure; the one that reaches the limit within the window locks the email until then. */
    Future<Count> countFailure(
            SqlClient db,
            ProjectId project,
            Buffer emailHash,
            Instant now,
            Instant windowStart,
            int limit,
            Instant lockUntil) {
        return db.preparedQuery(COUNT_FAILURE)
                .execute(Tuple.of(
                        project.value(),
                        emailHash,
                        Rows.timestamp(now),
                        Rows.timestamp(windowStart),
                        limit,
                        Rows.timestamp(lockUntil)))
                .map(rows -> Rows.single(rows, SignInStore::count));
    }

    private static Count count(Row row) {
        return new Count(row.getInteger("failures"), Rows.optionalInstant(row, "locked_until"));
    }

    private static final String LOCKED_UNTIL = """
            SELECT locked_until FROM sign_in_failures
            WHERE project_id = $1 AND email_hash = $2 AND locked_until > $3
            """;

    /** Until when the email is locked; empty where it is not. */
    Future<Optional<Instant>> lockedUntil(SqlClient db, ProjectId project, Buffer emailHash, Instant now) {
        return db.preparedQuery(LOCKED_UNTIL)
                .execute(Tuple.of(project.value(), emailHash, Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, row -> Rows.instant(row, "locked_until")));
    }

    private static final String DELETE_FAILURES = """
            DELETE FROM sign_in_failures WHERE project_id = $1 AND email_hash = $2
            """;

    Future<Void> deleteFailures(SqlClient db, ProjectId project, Buffer emailHash) {
        return db.preparedQuery(DELETE_FAILURES)
                .execute(Tuple.of(project.value(), emailHash))
                .mapEmpty();
    }

    private static final String PURGE_FAILURES = """
            DELETE FROM sign_in_failures WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sign_in_failures
                WHERE window_start <= $1 AND (locked_until IS NULL OR locked_until <= $2)
                ORDER BY window_start
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} failures of all projects that are outside the window, and returns how many. */
    Future<Integer> purgeFailures(SqlClient db, Instant windowStart, Instant now, int limit) {
        return db.preparedQuery(PURGE_FAILURES)
                .execute(Tuple.of(Rows.timestamp(windowStart), Rows.timestamp(now), limit))
                .map(rows -> rows.rowCount());
    }
}
