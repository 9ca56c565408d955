package dev.vestibule.authentication.factor;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.SecondFactorStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code totp_factors}. Code that changes one must hold the lock of the user's row, so that changes of one
 * user wait for each other.
 */
final class FactorStore {
    static final SealedTable SEALED = SealedTable.of("totp_factors", List.of("user_id"), List.of("sealed_secret"));

    static final OldRows UNCONFIRMED = OldRows.by("totp_factors", "created_at", "confirmed_at IS NULL");

    /** A user's factor; it counts once it is confirmed. */
    record Factor(
            Buffer sealedSecret,
            List<Buffer> backupCodes,
            Instant createdAt,
            @Nullable Instant confirmedAt,
            long lastStep) {
        boolean isConfirmed() {
            return confirmedAt != null;
        }
    }

    private final SecondFactorStore secondFactors = new SecondFactorStore();

    private static final String FIND = """
            SELECT sealed_secret, backup_codes, created_at, confirmed_at, last_step
            FROM totp_factors WHERE project_id = $1 AND user_id = $2
            """;

    /** Empty if the user has set up none. */
    Future<Optional<Factor>> find(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, FIND, project, user).map(rows -> Rows.first(rows, FactorStore::factor));
    }

    private static Factor factor(Row row) {
        return new Factor(
                row.getBuffer("sealed_secret"),
                List.of(row.getArrayOfBuffers("backup_codes")),
                Rows.instant(row, "created_at"),
                Rows.optionalInstant(row, "confirmed_at"),
                row.getLong("last_step"));
    }

    private static final String SET_UP = """
            INSERT INTO totp_factors AS kept (project_id, user_id, sealed_secret, backup_codes, backup_codes_at, created_at)
            VALUES ($1, $2, $3, $4, $5, $5)
            ON CONFLICT (project_id, user_id) DO UPDATE
            SET sealed_secret = excluded.sealed_secret, backup_codes = excluded.backup_codes,
                backup_codes_at = excluded.backup_codes_at, created_at = excluded.created_at
            WHERE kept.confirmed_at IS NULL
            """;

    /** Replaces an unconfirmed one; false if there is a confirmed one. */
    Future<Boolean> setUp(
            SqlClient transaction,
            ProjectId project,
            UserId user,
            Buffer sealedSecret,
            List<Buffer> backupCodes,
            Instant now) {
        return Sql.run(transaction, SET_UP, project, user, sealedSecret, array(backupCodes), now)
                .map(rows -> rows.rowCount() == 1);
    }

    private static Buffer[] array(List<Buffer> buffers) {
        return buffers.toArray(Buffer[]::new);
    }

    private static final String CONFIRM = """
            UPDATE totp_factors SET confirmed_at = $3, last_step = $4 WHERE project_id = $1 AND user_id = $2
            """;

    /** From now on the password alone opens no session. The step's code is used up. */
    Future<Void> confirm(SqlClient transaction, ProjectId project, UserId user, long step, Instant now) {
        return Sql.run(transaction, CONFIRM, project, user, now, step)
                .compose(confirmed -> secondFactors.refresh(transaction, project, user));
    }

    private static final String USE_STEP = """
            UPDATE totp_factors SET last_step = $3 WHERE project_id = $1 AND user_id = $2
            """;

    Future<Void> useStep(SqlClient transaction, ProjectId project, UserId user, long step) {
        return Sql.run(transaction, USE_STEP, project, user, step).mapEmpty();
    }

    private static final String USE_BACKUP_CODE = """
            UPDATE totp_factors SET backup_codes = array_remove(backup_codes, $3::bytea)
            WHERE project_id = $1 AND user_id = $2
            """;

    Future<Void> useBackupCode(SqlClient transaction, ProjectId project, UserId user, Buffer hash) {
        return Sql.run(transaction, USE_BACKUP_CODE, project, user, hash).mapEmpty();
    }

    private static final String REPLACE_BACKUP_CODES = """
            UPDATE totp_factors SET backup_codes = $3, backup_codes_at = $4 WHERE project_id = $1 AND user_id = $2
            """;

    Future<Void> replaceBackupCodes(
            SqlClient transaction, ProjectId project, UserId user, List<Buffer> hashes, Instant now) {
        return Sql.run(transaction, REPLACE_BACKUP_CODES, project, user, array(hashes), now)
                .mapEmpty();
    }

    private static final String REMOVE_BACKUP_CODES_SINCE = """
            UPDATE totp_factors SET backup_codes = '{}'
            WHERE project_id = $1 AND user_id = $2 AND backup_codes_at >= $3
            """;

    /** Older ones stay. */
    Future<Void> removeBackupCodesSince(SqlClient transaction, ProjectId project, UserId user, Instant since) {
        return Sql.run(transaction, REMOVE_BACKUP_CODES_SINCE, project, user, since)
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM totp_factors WHERE project_id = $1 AND user_id = $2
            RETURNING confirmed_at
            """;

    /** Removes the factor and the sign ins that wait for it; true if there was one that counted. */
    Future<Boolean> remove(SqlClient transaction, ProjectId project, UserId user) {
        return secondFactors
                .endSignIns(transaction, project, user)
                .compose(ended -> Sql.run(transaction, REMOVE, project, user))
                .map(rows -> Rows.first(rows, row -> row)
                        .filter(row -> row.getValue("confirmed_at") != null)
                        .isPresent())
                .compose(counted -> counted
                        ? secondFactors.refresh(transaction, project, user).map(true)
                        : Future.succeededFuture(false));
    }
}
