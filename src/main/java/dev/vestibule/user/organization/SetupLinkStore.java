package dev.vestibule.user.organization;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The links with which an organization's own administrator sets up its connection, domains or directory. */
final class SetupLinkStore {
    static final OldRows EXPIRED = OldRows.by("organization_setup_links", "expires_at");

    private static final String REPLACE = """
            INSERT INTO organization_setup_links (project_id, organization_id, token_hash, created_at, expires_at, created_by)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (project_id, organization_id) DO UPDATE
            SET token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at,
                created_by = excluded.created_by
            """;

    /** The link takes the place of the organization's last one; without a maker it is management's. */
    Future<Void> replace(
            SqlConnection transaction,
            Organization organization,
            Buffer tokenHash,
            @Nullable UserId maker,
            Instant now,
            Instant expiresAt) {
        return Sql.run(
                        transaction,
                        REPLACE,
                        organization.projectId(),
                        organization.id(),
                        tokenHash,
                        now,
                        expiresAt,
                        maker)
                .mapEmpty();
    }

    /**
     * A link.
     *
     * @param maker the user who has made it; null for management
     * @param role that the maker has now; null if they are no member any more, or banned
     */
    record Stored(
            OrganizationId organization,
            @Nullable UserId maker,
            @Nullable String role) {}

    private static final String FIND = """
            SELECT links.organization_id, links.created_by, members.role
            FROM organization_setup_links AS links
            LEFT JOIN users
                ON users.project_id = $1 AND users.id = links.created_by AND NOT users.is_banned
            LEFT JOIN organization_members AS members
                ON members.project_id = $1 AND members.organization_id = links.organization_id
                AND members.user_id = users.id
            WHERE links.project_id = $1 AND links.token_hash = $2 AND links.expires_at > $3
            """;

    /** Empty for a link that is unknown, replaced, revoked or expired. */
    Future<Optional<Stored>> find(SqlClient db, ProjectId project, Buffer tokenHash, Instant now) {
        return Sql.run(db, FIND, project, tokenHash, now)
                .map(rows -> Rows.first(rows, row -> {
                    var maker = row.getUUID("created_by");
                    return new Stored(
                            new OrganizationId(row.getUUID("organization_id")),
                            maker == null ? null : new UserId(maker),
                            row.getString("role"));
                }));
    }

    private static final String REMOVE = """
            DELETE FROM organization_setup_links WHERE project_id = $1 AND organization_id = $2
            """;

    /** Whether there was one. */
    Future<Boolean> remove(SqlConnection transaction, Organization organization) {
        return Sql.run(transaction, REMOVE, organization.projectId(), organization.id())
                .map(rows -> rows.rowCount() > 0);
    }
}
