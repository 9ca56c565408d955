package dev.vestibule.user;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Objects;
import java.util.Optional;

/** Which connections sign in the people of which proven domains. */
final class DomainConnectionStore {
    /** An organization that has several enabled ones means its oldest. */
    private static final String FIND = """
            SELECT domains.organization_id, connections.provider, connections.name,
                   CASE WHEN domains.policy = 'sso_required'
                        THEN greatest(domains.policy_since, domains.verified_at) END AS required_since
            FROM organization_domains AS domains JOIN identity_providers AS connections
                ON connections.project_id = domains.project_id
                AND connections.organization_id = domains.organization_id AND connections.enabled
            WHERE domains.project_id = $1 AND domains.domain = $2 AND domains.verified_at IS NOT NULL
            ORDER BY connections.created_at, connections.provider
            LIMIT 1
            """;

    /** Empty if no organization has proven the domain, or it has no enabled connection. */
    Future<Optional<DomainConnection>> find(SqlClient db, ProjectId project, String domain) {
        return Sql.run(db, FIND, project, domain)
                .map(rows -> Rows.first(
                        rows,
                        row -> new DomainConnection(
                                Objects.requireNonNull(row.getUUID("organization_id")),
                                row.getString("provider"),
                                row.getString("name"),
                                Rows.optionalInstant(row, "required_since"))));
    }

    private static final String HAS_ANY = """
            SELECT EXISTS (
                SELECT FROM organization_domains AS domains JOIN identity_providers AS connections
                    ON connections.project_id = domains.project_id
                    AND connections.organization_id = domains.organization_id AND connections.enabled
                WHERE domains.project_id = $1 AND domains.verified_at IS NOT NULL) AS has_any
            """;

    /** Whether the project has a domain for which {@link #find} finds something. */
    Future<Boolean> hasAny(SqlClient db, ProjectId project) {
        return Sql.run(db, HAS_ANY, project).map(rows -> Rows.single(rows, row -> row.getBoolean("has_any")));
    }

    /**
     * The order makes the index the only way, whatever PostgreSQL guesses of how many domains there are in all
     * projects.
     */
    private static final String HAS_REQUIRING = """
            SELECT count(*) > 0 AS has_requiring FROM (
                SELECT FROM organization_domains WHERE project_id = $1 AND policy = 'sso_required'
                ORDER BY organization_id LIMIT 1) AS first
            """;

    Future<Boolean> hasRequiring(SqlClient db, ProjectId project) {
        return Sql.run(db, HAS_REQUIRING, project)
                .map(rows -> Rows.single(rows, row -> row.getBoolean("has_requiring")));
    }
}
