package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Codes that were sent, by the keyed hash of the address. */
final class EmailCodeStore {
    /** The row may be gone: a mail can wait for its SMTP server for longer than requests are remembered. */
    private static final String PUT = """
            INSERT INTO email_codes (project_id, email_hash, purpose, requested_at, window_start, requests,
                                     user_id, code_hash, expires_at)
            VALUES ($1, $2, $3, $4, $4, 1, $5, $6, $7)
            ON CONFLICT (project_id, email_hash, purpose) DO UPDATE
            SET user_id = $5, code_hash = $6, expires_at = $7, tries = 0
            """;

    Future<Void> put(
            SqlClient db,
            ProjectId project,
            Buffer emailHash,
            CodePurpose purpose,
            UserId user,
            Buffer codeHash,
            Instant now,
            Instant expiresAt) {
        return db.preparedQuery(PUT)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    emailHash,
                    purpose.text(),
                    Rows.timestamp(now),
                    user.value(),
                    codeHash,
                    Rows.timestamp(expiresAt)
                }))
                .mapEmpty();
    }

    /**
     * Counts also where there is no code to be guessed: it writes for every address that asked for a mail, so that its
     * time does not tell which of them has an account. The row's lock lets one try at a time go on.
     */
    private static final String COUNT_TRY = """
            UPDATE email_codes SET tries = tries + 1
            WHERE project_id = $1 AND email_hash = $2 AND purpose = $3
            RETURNING user_id, code_hash, expires_at, tries
            """;

    /** How a code stands, this try counted. */
    record Try(
            @Nullable UserId user,
            @Nullable Buffer codeHash,
            @Nullable Instant expiresAt,
            int tries) {}

    /** Empty where the address asked for no mail. */
    Future<Optional<Try>> countTry(SqlClient transaction, ProjectId project, Buffer emailHash, CodePurpose purpose) {
        return transaction
                .preparedQuery(COUNT_TRY)
                .execute(Tuple.of(project.value(), emailHash, purpose.text()))
                .map(rows -> Rows.first(rows, EmailCodeStore::state));
    }

    private static Try state(Row row) {
        @Nullable UUID user = row.getUUID("user_id");
        return new Try(
                user == null ? null : new UserId(user),
                row.getBuffer("code_hash"),
                Rows.optionalInstant(row, "expires_at"),
                row.getInteger("tries"));
    }

    private static final String CLEAR = """
            UPDATE email_codes SET user_id = NULL, code_hash = NULL, expires_at = NULL
            WHERE project_id = $1 AND email_hash = $2 AND purpose = $3
            """;

    Future<Void> clear(SqlClient db, ProjectId project, Buffer emailHash, CodePurpose purpose) {
        return db.preparedQuery(CLEAR)
                .execute(Tuple.of(project.value(), emailHash, purpose.text()))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM email_codes WHERE project_id = $1 AND email_hash = $2
            """;

    Future<Void> remove(SqlClient db, ProjectId project, Buffer emailHash) {
        return db.preparedQuery(REMOVE)
                .execute(Tuple.of(project.value(), emailHash))
                .mapEmpty();
    }

    private static final String PURGE = """
            DELETE FROM email_codes WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM email_codes
                WHERE requested_at <= $1 AND (expires_at IS NULL OR expires_at <= $1)
                ORDER BY requested_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Forgets, in all projects, up to so many requests, and tells how many. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
