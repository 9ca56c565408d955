package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyVerifier.Assertion;
import dev.vestibule.authentication.passkey.PasskeyVerifier.Credential;
import dev.vestibule.database.Rows;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code passkeys} and {@code passkey_users}. Code that adds or removes one must hold the lock of the
 * user's row, so that changes of one user wait for each other.
 */
final class PasskeyStore {
    private final SecondFactorStore secondFactors = new SecondFactorStore();

    private static final String HANDLE = """
            WITH made AS (
                INSERT INTO passkey_users (project_id, user_id, handle)
                SELECT $1, $2, $3
                WHERE NOT EXISTS (SELECT FROM passkey_users WHERE project_id = $1 AND user_id = $2)
                ON CONFLICT DO NOTHING
                RETURNING handle)
            SELECT handle FROM made
            UNION ALL
            SELECT handle FROM passkey_users WHERE project_id = $1 AND user_id = $2
            """;

    /**
     * The user handle that authenticators know the user by: these bytes if the user has none yet, otherwise the stored
     * ones.
     */
    Future<Buffer> handle(SqlClient transaction, ProjectId project, UserId user, Buffer newHandle) {
        return Sql.run(transaction, HANDLE, project, user, newHandle)
                .map(rows -> Rows.first(rows, row -> row.getBuffer("handle")).orElseThrow());
    }

    private static final String OF_USER = """
            SELECT id, name, created_at, last_used_at FROM passkeys
            WHERE project_id = $1 AND user_id = $2
            ORDER BY created_at, id
            """;

    /** Oldest first. */
    Future<List<Passkey>> listForUser(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, OF_USER, project, user).map(rows -> Rows.all(rows, PasskeyStore::passkey));
    }

    private static Passkey passkey(Row row) {
        return new Passkey(
                row.getUUID("id"),
                row.getString("name"),
                Rows.instant(row, "created_at"),
                Rows.optionalInstant(row, "last_used_at"));
    }

    private static final String CREDENTIALS_OF = """
            SELECT rp_id, credential_id FROM passkeys WHERE project_id = $1 AND user_id = $2
            """;

    /** A passkey's domain and credential id. */
    record Known(String rpId, Buffer credentialId) {}

    Future<List<Known>> credentialsOf(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, CREDENTIALS_OF, project, user)
                .map(rows -> Rows.all(rows, row -> new Known(row.getString("rp_id"), row.getBuffer("credential_id"))));
    }

    private static final String OF_EMAIL = """
            SELECT credential_id
            FROM users JOIN passkeys ON passkeys.project_id = users.project_id AND passkeys.user_id = users.id
            WHERE users.project_id = $1 AND users.email = $2 AND rp_id = $3
            ORDER BY passkeys.created_at, passkeys.id
            """;

    /** The credential ids of the passkeys that are bound to this domain, oldest first. */
    Future<List<Buffer>> credentialIdsForEmail(SqlClient db, ProjectId project, String email, String rpId) {
        return Sql.run(db, OF_EMAIL, project, email, rpId)
                .map(rows -> Rows.all(rows, row -> row.getBuffer("credential_id")));
    }

    private static final String INSERT = """
            INSERT INTO passkeys (project_id, id, user_id, rp_id, credential_id, aaguid, public_key, sign_count,
                                  backup_eligible, backed_up, user_verified, name, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (project_id, credential_id) DO NOTHING
            """;

    /** False if someone in the project already has it. */
    Future<Boolean> insert(
            SqlClient transaction,
            ProjectId project,
            UserId user,
            UUID id,
            Credential credential,
            @Nullable String name,
            Instant now) {
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        id,
                        user,
                        credential.rpId(),
                        credential.id(),
                        credential.aaguid(),
                        credential.publicKey(),
                        credential.signCount(),
                        credential.backupEligible(),
                        credential.backedUp(),
                        credential.userVerified(),
                        name,
                        now)
                .compose(rows -> refreshIf(rows.rowCount() == 1, transaction, project, user));
    }

    /** A passkey, its user, and the handle that authenticators know the user by. */
    record StoredPasskey(UUID id, UserId user, Buffer handle, Credential credential) {}

    private static final String FIND = """
            SELECT passkeys.id, passkeys.user_id, passkey_users.handle, rp_id, credential_id, aaguid, public_key, sign_count,
                   backup_eligible, backed_up, user_verified
            FROM passkeys JOIN passkey_users
                ON passkey_users.project_id = passkeys.project_id AND passkey_users.user_id = passkeys.user_id
            WHERE passkeys.project_id = $1 AND credential_id = $2
            """;

    Future<Optional<StoredPasskey>> find(SqlClient db, ProjectId project, Buffer credentialId) {
        return Sql.run(db, FIND, project, credentialId).map(rows -> Rows.first(rows, PasskeyStore::owned));
    }

    private static StoredPasskey owned(Row row) {
        return new StoredPasskey(
                row.getUUID("id"),
                new UserId(row.getUUID("user_id")),
                row.getBuffer("handle"),
                new Credential(
                        row.getString("rp_id"),
                        row.getBuffer("credential_id"),
                        row.getUUID("aaguid"),
                        row.getBuffer("public_key"),
                        row.getLong("sign_count"),
                        row.getBoolean("backup_eligible"),
                        row.getBoolean("backed_up"),
                        row.getBoolean("user_verified")));
    }

    private static final String USE = """
            UPDATE passkeys SET sign_count = $4, backed_up = $5, user_verified = user_verified OR $6, last_used_at = $7,
                verified_at = CASE WHEN $6 AND NOT user_verified THEN $7 ELSE verified_at END
            WHERE project_id = $1 AND id = $2 AND user_id = $3 AND (sign_count < $4 OR (sign_count = 0 AND $4 = 0))
            """;

    /** Whether this use makes it a second factor of its account. */
    static boolean firstVerified(StoredPasskey passkey, Assertion assertion) {
        return assertion.userVerified() && !passkey.credential().userVerified();
    }

    /** False if it was removed in the meantime, or another use with this count or a higher one came first. */
    Future<Boolean> use(
            SqlClient transaction, ProjectId project, StoredPasskey passkey, Assertion assertion, Instant now) {
        return Sql.run(
                        transaction,
                        USE,
                        project,
                        passkey.id(),
                        passkey.user(),
                        assertion.signCount(),
                        assertion.backedUp(),
                        assertion.userVerified(),
                        now)
                .map(rows -> rows.rowCount() == 1)
                .compose(used -> used && firstVerified(passkey, assertion)
                        ? refreshIf(true, transaction, project, passkey.user())
                        : Future.succeededFuture(used));
    }

    private static final String RENAME = """
            UPDATE passkeys SET name = $4 WHERE project_id = $1 AND user_id = $2 AND id = $3
            RETURNING id, name, created_at, last_used_at
            """;

    /** Empty if the user has no such passkey. */
    Future<Optional<Passkey>> rename(
            SqlClient db, ProjectId project, UserId user, UUID passkey, @Nullable String name) {
        return Sql.run(db, RENAME, project, user, passkey, name).map(rows -> Rows.first(rows, PasskeyStore::passkey));
    }

    private static final String REMOVE = """
            DELETE FROM passkeys WHERE project_id = $1 AND user_id = $2 AND id = $3
            """;

    /** False if the user has no such passkey. */
    Future<Boolean> remove(SqlClient transaction, ProjectId project, UserId user, UUID passkey) {
        return Sql.run(transaction, REMOVE, project, user, passkey)
                .compose(rows -> refreshIf(rows.rowCount() == 1, transaction, project, user));
    }

    private static final String REMOVE_SINCE = """
            WITH unfinished AS (DELETE FROM passkey_challenges WHERE project_id = $1 AND user_id = $2)
            DELETE FROM passkeys WHERE project_id = $1 AND user_id = $2 AND greatest(created_at, verified_at) >= $3
            """;

    /**
     * Also removes those that became factors since, and cancels pending registrations; returns the number of removed
     * passkeys.
     */
    Future<Integer> removeSince(SqlClient transaction, ProjectId project, UserId user, Instant since) {
        return Sql.run(transaction, REMOVE_SINCE, project, user, since)
                .compose(rows -> refreshIf(rows.rowCount() > 0, transaction, project, user)
                        .map(refreshed -> rows.rowCount()));
    }

    private Future<Boolean> refreshIf(boolean changed, SqlClient transaction, ProjectId project, UserId user) {
        return changed ? secondFactors.refresh(transaction, project, user).map(true) : Future.succeededFuture(false);
    }

    private static final String LETS_IN = """
            SELECT FROM passkeys WHERE project_id = $1 AND user_id = $2 AND rp_id = $3 LIMIT 1
            """;

    /** Whether the user has a passkey that is bound to this domain. */
    Future<Boolean> existsForDomain(SqlClient db, ProjectId project, UserId user, String rpId) {
        return Sql.run(db, LETS_IN, project, user, rpId).map(rows -> rows.size() > 0);
    }
}
