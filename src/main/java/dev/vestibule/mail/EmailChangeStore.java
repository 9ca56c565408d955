package dev.vestibule.mail;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Email changes: the pending one of a user, which waits for its code, and completed ones that can still be undone. The
 * latter include new factors.
 */
final class EmailChangeStore {
    static final OldRows EXPIRED = OldRows.by("email_changes", "expires_at");

    private static final String COUNT_SINCE = """
            SELECT count(*) AS requests, min(requested_at) AS first FROM email_changes
            WHERE project_id = $1 AND user_id = $2 AND requested_at > $3 AND (notice IS NULL) = $4
            """;

    /** How many changes a user has asked for since a time, and when the first of them was. */
    record Requests(long count, @Nullable Instant first) {}

    /** Counts changes of the email, or else of factors. */
    Future<Requests> countSince(SqlClient db, ProjectId project, UserId user, boolean ofEmail, Instant since) {
        return Sql.run(db, COUNT_SINCE, project, user, since, ofEmail)
                .map(rows -> Rows.single(
                        rows, row -> new Requests(row.getLong("requests"), Rows.optionalInstant(row, "first"))));
    }

    private static final String REPLACE = """
            UPDATE email_changes SET state = 'replaced', code_hash = NULL
            WHERE project_id = $1 AND user_id = $2 AND state = 'pending' AND ($4 OR new_email <> $3)
            """;

    /** Ends the user's pending change; unless {@code evenIfSame}, only one to another address. */
    Future<Void> replace(SqlClient db, ProjectId project, UserId user, String newEmail, boolean evenIfSame) {
        return Sql.run(db, REPLACE, project, user, newEmail, evenIfSame).mapEmpty();
    }

    private static final String INSERT = """
            INSERT INTO email_changes (project_id, id, user_id, state, new_email, requested_at, expires_at)
            VALUES ($1, $2, $3, 'pending', $4, $5, $6)
            ON CONFLICT (project_id, user_id) WHERE state = 'pending' DO NOTHING
            """;

    /** Does nothing if the user has a pending change. */
    Future<Void> insert(
            SqlClient db, ProjectId project, UUID id, UserId user, String newEmail, Instant now, Instant expiresAt) {
        return Sql.run(db, INSERT, project, id, user, newEmail, now, expiresAt).mapEmpty();
    }

    private static final String SET_CODE = """
            UPDATE email_changes SET code_hash = $3, code_expires_at = $4
            WHERE project_id = $1 AND id = $2 AND state = 'pending'
              AND NOT EXISTS (SELECT FROM users WHERE project_id = $1 AND email = new_email)
            """;

    /** False if the change was replaced, or the address belongs to another account: then it gets no code. */
    Future<Boolean> setCode(SqlClient db, ProjectId project, UUID change, Buffer codeHash, Instant expiresAt) {
        return Sql.run(db, SET_CODE, project, change, codeHash, expiresAt).map(rows -> rows.rowCount() == 1);
    }

    private static final String COUNT_TRY = """
            UPDATE email_changes SET tries = tries + 1
            WHERE project_id = $1 AND user_id = $2 AND state = 'pending'
            RETURNING id, new_email, code_hash, code_expires_at, tries
            """;

    /** A change that waits for its code, and the number of attempts including the current one. */
    record Pending(
            UUID id,
            String newEmail,
            @Nullable Buffer codeHash,
            @Nullable Instant codeExpiresAt,
            int tries) {}

    /** Empty if the user has no pending change. */
    Future<Optional<Pending>> countTry(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, COUNT_TRY, project, user)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Pending(
                                row.getUUID("id"),
                                row.getString("new_email"),
                                row.getBuffer("code_hash"),
                                Rows.optionalInstant(row, "code_expires_at"),
                                row.getInteger("tries"))));
    }

    private static final String APPLY = """
            UPDATE email_changes
            SET state = 'made', code_hash = NULL, old_email = $3, old_email_verified = $4, made_at = $5, expires_at = $6,
                position = (
                    SELECT coalesce(max(others.position), 0) + 1 FROM email_changes AS others
                    WHERE others.project_id = $1 AND others.user_id = email_changes.user_id)
            WHERE project_id = $1 AND id = $2
            """;

    /** The transaction must hold the lock of the user's row, so that changes have an order. */
    Future<Void> apply(
            SqlClient transaction,
            ProjectId project,
            UUID change,
            @Nullable String oldEmail,
            boolean oldEmailVerified,
            Instant now,
            Instant expiresAt) {
        return Sql.run(transaction, APPLY, project, change, oldEmail, oldEmailVerified, now, expiresAt)
                .mapEmpty();
    }

    private static final String INSERT_UNDOABLE = """
            INSERT INTO email_changes (project_id, id, user_id, state, new_email, requested_at, old_email,
                                       old_email_verified, made_at, position, expires_at, notice)
            SELECT $1, $2, $3, 'made', $4, $5, $4, true, $5, coalesce(max(position), 0) + 1, $6, $7
            FROM email_changes WHERE project_id = $1 AND user_id = $3
            """;

    /** Records a new factor, which does not change the email. As for {@link #apply}, the user's row must be locked. */
    Future<Void> insertUndoable(
            SqlClient transaction,
            ProjectId project,
            UUID change,
            UserId user,
            String email,
            NoticeKind notice,
            Instant now,
            Instant expiresAt) {
        return Sql.run(transaction, INSERT_UNDOABLE, project, change, user, email, now, expiresAt, notice.text())
                .mapEmpty();
    }

    private static final String FIND_UNDOABLE = """
            SELECT user_id, old_email, old_email_verified, position, requested_at,
                   coalesce(notice, 'email_changed') AS notice
            FROM email_changes
            WHERE project_id = $1 AND id = $2 AND state = 'made' AND old_email IS NOT NULL AND expires_at > $3
            """;

    Future<Optional<Undo>> findUndoable(SqlClient db, ProjectId project, UUID change, Instant now) {
        return Sql.run(db, FIND_UNDOABLE, project, change, now)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Undo(
                                new UserId(row.getUUID("user_id")),
                                Objects.requireNonNull(row.getString("old_email")),
                                row.getBoolean("old_email_verified"),
                                row.getInteger("position"),
                                Rows.instant(row, "requested_at"),
                                NoticeKind.of(row.getString("notice")))));
    }

    private static final String REMOVE_FROM = """
            DELETE FROM email_changes
            WHERE project_id = $1 AND user_id = $2 AND (state <> 'made' OR position >= $3)
            """;

    /** Removes the pending change, and the completed ones from that position on. */
    Future<Void> removeFrom(SqlClient db, ProjectId project, UserId user, int position) {
        return Sql.run(db, REMOVE_FROM, project, user, position).mapEmpty();
    }
}
