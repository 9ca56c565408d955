package dev.vestibule.user;

import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** The column {@code users.second_factors}, and the sign ins that wait for a second factor. */
public final class SecondFactorStore {
    private static final String REFRESH = """
            WITH counted AS (
                SELECT 'totp' AS factor FROM totp_factors
                WHERE project_id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL
                UNION
                SELECT 'passkey ' || rp_id FROM passkeys
                WHERE project_id = $1 AND user_id = $2 AND user_verified)
            UPDATE users SET second_factors = ARRAY(
                SELECT factor FROM counted
                UNION
                SELECT 'held' FROM counted WHERE 'held' = ANY (users.second_factors) AND NOT users.email_verified
                ORDER BY 1)
            WHERE project_id = $1 AND id = $2
            """;

    /**
     * Call this after each change of a factor or passkey, in its transaction, which must hold the lock of the user's
     * row. So a sign in that was checked against the earlier factors opens no session.
     */
    public Future<Void> refresh(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, REFRESH, project, user).mapEmpty();
    }

    private static final String END_SIGN_INS = """
            DELETE FROM mfa_challenges WHERE project_id = $1 AND user_id = $2
            """;

    /**
     * Ends the sign ins that wait for a second factor. Call it where a way to sign in is removed, or all sessions end,
     * in the same transaction, which must hold the lock of the user's row: what was proved may have been this way, or
     * by somebody else.
     */
    public Future<Void> endSignIns(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, END_SIGN_INS, project, user).mapEmpty();
    }
}
