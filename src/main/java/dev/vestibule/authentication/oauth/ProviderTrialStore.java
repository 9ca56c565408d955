package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.ProviderTrial.Problem;
import dev.vestibule.authentication.oauth.ProviderTrial.Told;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The last trial of each provider of a project; a new one replaces the previous one. */
final class ProviderTrialStore {
    static final OldRows EXPIRED = OldRows.by("provider_trials", "expires_at");

    private static final String BEGIN = """
            INSERT INTO provider_trials AS trial (project_id, provider, state_hash, begun_at, expires_at)
            SELECT project_id, provider, $3::bytea, $4::timestamptz, $5::timestamptz
            FROM identity_providers WHERE project_id = $1 AND provider = $2
            ON CONFLICT (project_id, provider) DO UPDATE
            SET state_hash = excluded.state_hash, begun_at = excluded.begun_at, expires_at = excluded.expires_at,
                is_claimed = false, problem = NULL, message = NULL, subject = NULL, email = NULL,
                email_verified = false, display_name = NULL
            """;

    /** False if the provider is not set up any more. */
    Future<Boolean> begin(SqlClient db, StateToken token, Provider provider, Instant now, Instant expiresAt) {
        return Sql.run(db, BEGIN, token.project(), provider.name(), token.hash(), now, expiresAt)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String CLAIM = """
            UPDATE provider_trials SET is_claimed = true
            WHERE project_id = $1 AND state_hash = $2 AND NOT is_claimed AND expires_at > $3
            RETURNING provider
            """;

    /** The provider of the trial; empty if it is unknown, expired, or another browser came back first. */
    Future<Optional<Provider>> claim(SqlClient db, StateToken token, Instant now) {
        return Sql.run(db, CLAIM, token.project(), token.hash(), now)
                .map(rows -> Rows.first(rows, ProviderTrialStore::provider));
    }

    private static final String PASS = """
            UPDATE provider_trials SET subject = $3, email = $4, email_verified = $5, display_name = $6
            WHERE project_id = $1 AND state_hash = $2
            """;

    Future<Void> pass(SqlClient db, StateToken token, Told identity) {
        return Sql.run(
                        db,
                        PASS,
                        token.project(),
                        token.hash(),
                        identity.subject(),
                        identity.email(),
                        identity.emailVerified(),
                        identity.displayName())
                .mapEmpty();
    }

    private static final String FAIL = """
            UPDATE provider_trials SET problem = $3, message = $4 WHERE project_id = $1 AND state_hash = $2
            """;

    Future<Void> fail(SqlClient db, StateToken token, Problem problem) {
        return Sql.run(db, FAIL, token.project(), token.hash(), problem.kind(), problem.message())
                .mapEmpty();
    }

    private static final String FIND = """
            SELECT provider, begun_at, expires_at, problem, message, subject, email, email_verified, display_name
            FROM provider_trials
            WHERE project_id = $1 AND provider = $2 AND expires_at > $3
            """;

    Future<Optional<ProviderTrial>> find(SqlClient db, ProjectId project, Provider provider, Instant now) {
        return Sql.run(db, FIND, project, provider.name(), now)
                .map(rows -> Rows.first(rows, ProviderTrialStore::trial));
    }

    private static ProviderTrial trial(Row row) {
        var kind = row.getString("problem");
        var subject = row.getString("subject");
        return new ProviderTrial(
                provider(row),
                kind != null ? "failed" : subject != null ? "passed" : "pending",
                null,
                Rows.instant(row, "begun_at"),
                Rows.instant(row, "expires_at"),
                kind == null ? null : new Problem(kind, Objects.requireNonNull(row.getString("message"))),
                subject == null
                        ? null
                        : new Told(
                                subject,
                                row.getString("email"),
                                row.getBoolean("email_verified"),
                                row.getString("display_name")));
    }

    private static Provider provider(Row row) {
        return new Provider(row.getString("provider"));
    }
}
