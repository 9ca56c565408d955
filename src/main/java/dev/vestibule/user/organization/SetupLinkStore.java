package dev.vestibule.user.organization;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;

final class SetupLinkStore {
    static final OldRows EXPIRED = OldRows.by("organization_setup_links", "expires_at");

    private static final String REPLACE = """
            INSERT INTO organization_setup_links (project_id, organization_id, token_hash, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (project_id, organization_id) DO UPDATE
            SET token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
            """;

    /** The link takes the place of the organization's last one. */
    Future<Void> replace(
            SqlConnection transaction, Organization organization, Buffer tokenHash, Instant now, Instant expiresAt) {
        return transaction
                .preparedQuery(REPLACE)
                .execute(Tuple.of(
                        organization.projectId().value(),
                        organization.id().value(),
                        tokenHash,
                        Rows.timestamp(now),
                        Rows.timestamp(expiresAt)))
                .mapEmpty();
    }

    private static final String FIND = """
            SELECT organization_id FROM organization_setup_links
            WHERE project_id = $1 AND token_hash = $2 AND expires_at > $3
            """;

    /** Empty for a link that is unknown, replaced, revoked or expired. */
    Future<Optional<OrganizationId>> find(SqlClient db, ProjectId project, Buffer tokenHash, Instant now) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value(), tokenHash, Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, row -> new OrganizationId(row.getUUID("organization_id"))));
    }

    private static final String REMOVE = """
            DELETE FROM organization_setup_links WHERE project_id = $1 AND organization_id = $2
            """;

    /** Whether there was one. */
    Future<Boolean> remove(SqlConnection transaction, Organization organization) {
        return transaction
                .preparedQuery(REMOVE)
                .execute(Tuple.of(
                        organization.projectId().value(), organization.id().value()))
                .map(rows -> rows.rowCount() > 0);
    }
}
