package dev.vestibule.authentication.factor;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of {@code mfa_challenges}. */
final class MfaChallengeStore {
    static final OldRows EXPIRED = OldRows.by("mfa_challenges", "expires_at");

    /** A rehash of the same password is stored here, since the session that would write it may never be opened. */
    private static final String INSERT = """
            WITH rehashed AS (
                UPDATE users SET password_hash = $8
                WHERE project_id = $1 AND id = $3 AND password_hash = $7 AND $8::text IS NOT NULL)
            INSERT INTO mfa_challenges
                (project_id, token_hash, user_id, variant, account_digest, expires_at, enrols, amr, organization_id)
            VALUES ($1, $2, $3, $4, $5, $6, $9, $10, $11)
            """;

    Future<Void> insert(
            SqlClient db,
            ProjectId project,
            Buffer tokenHash,
            UserId user,
            MfaChallenge challenge,
            Instant expiresAt,
            @Nullable String checkedHash,
            @Nullable String newHash) {
        return Sql.run(
                        db,
                        INSERT,
                        project,
                        tokenHash,
                        user,
                        challenge.variant().name(),
                        challenge.accountDigest(),
                        expiresAt,
                        checkedHash,
                        newHash,
                        challenge.enrols(),
                        challenge.methods().toArray(String[]::new),
                        challenge.connectedBy())
                .mapEmpty();
    }

    private static final String USER_OF = """
            SELECT user_id FROM mfa_challenges WHERE project_id = $1 AND token_hash = $2 AND expires_at > $3 AND enrols = $4
            """;

    /** Empty if the token is unknown, expired or used. */
    Future<Optional<UserId>> userOf(SqlClient db, ProjectId project, Buffer tokenHash, Instant now, boolean enrols) {
        return Sql.run(db, USER_OF, project, tokenHash, now, enrols)
                .map(rows -> Rows.first(rows, row -> new UserId(row.getUUID("user_id"))));
    }

    private static final String COUNT_TRY = """
            UPDATE mfa_challenges SET tries = tries + 1
            WHERE project_id = $1 AND token_hash = $2 AND expires_at > $3 AND tries < $4
            RETURNING variant, account_digest, enrols, amr, organization_id
            """;

    /** Also empty if the tries are used up. */
    Future<Optional<MfaChallenge>> countTry(
            SqlClient transaction, ProjectId project, Buffer tokenHash, Instant now, int tries) {
        return Sql.run(transaction, COUNT_TRY, project, tokenHash, now, tries)
                .map(rows -> Rows.first(rows, MfaChallengeStore::challenge));
    }

    private static final String FIND = """
            SELECT variant, account_digest, enrols, amr, organization_id FROM mfa_challenges
            WHERE project_id = $1 AND token_hash = $2 AND expires_at > $3 AND tries < $4
            """;

    /** Like {@link #countTry}, without counting a try. */
    Future<Optional<MfaChallenge>> find(
            SqlClient transaction, ProjectId project, Buffer tokenHash, Instant now, int tries) {
        return Sql.run(transaction, FIND, project, tokenHash, now, tries)
                .map(rows -> Rows.first(rows, MfaChallengeStore::challenge));
    }

    private static MfaChallenge challenge(Row row) {
        return new MfaChallenge(
                ApiVariant.valueOf(row.getString("variant")),
                row.getBuffer("account_digest"),
                row.getBoolean("enrols"),
                List.of(row.getArrayOfStrings("amr")),
                row.getUUID("organization_id"));
    }

    private static final String REMOVE = """
            DELETE FROM mfa_challenges WHERE project_id = $1 AND token_hash = $2
            """;

    Future<Void> remove(SqlClient transaction, ProjectId project, Buffer tokenHash) {
        return Sql.run(transaction, REMOVE, project, tokenHash).mapEmpty();
    }
}
