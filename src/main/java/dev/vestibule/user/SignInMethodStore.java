package dev.vestibule.user;

import dev.vestibule.database.Sql;
import dev.vestibule.project.PasskeyDomain;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** The ways in which a user can sign in, wherever they are stored. */
public final class SignInMethodStore {
    private static final String HAS_ONE = """
            SELECT EXISTS (
                    SELECT FROM identities JOIN identity_providers AS enabled
                        ON enabled.project_id = identities.project_id AND enabled.provider = identities.provider
                        AND enabled.enabled AND (enabled.issuer IS NULL OR enabled.issuer = identities.issuer)
                    WHERE identities.project_id = $1 AND identities.user_id = $2)
                OR EXISTS (SELECT FROM passkeys WHERE project_id = $1 AND user_id = $2 AND rp_id = $3)
                OR ($4 AND EXISTS (SELECT FROM wallets WHERE project_id = $1 AND user_id = $2)) AS has_one
            """;

    /**
     * A 409 if the user cannot sign in any more under the project's settings. Call it after a method was removed, in
     * the transaction that removes it, which the error rolls back.
     */
    public Future<Void> requireOne(SqlClient transaction, Project project, Account account) {
        var user = account.user();
        var factors = project.factors();
        var byPassword = factors.password() && account.passwordHash() != null && user.email() != null;
        var bySms = factors.sms() && user.phoneVerified() && !project.requireEmailVerification();
        if (byPassword || bySms) {
            return Future.succeededFuture();
        }
        return Sql.run(
                        transaction,
                        HAS_ONE,
                        project.id(),
                        user.id(),
                        PasskeyDomain.of(project).orElse(null),
                        factors.wallets())
                .map(rows -> {
                    if (!rows.iterator().next().getBoolean("has_one")) {
                        throw UserErrors.lastSignInMethod();
                    }
                    return null;
                });
    }
}
