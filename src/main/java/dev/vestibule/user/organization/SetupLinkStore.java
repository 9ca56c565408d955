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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The links with which an organization's own administrator sets up its connection, domains or directory. */
final class SetupLinkStore {
    static final OldRows EXPIRED = OldRows.by("organization_setup_links", "expires_at");

    private static final String REPLACE = """
            INSERT INTO organization_setup_links (project_id, organization_id, token_hash, created_at, expires_at, created_by,
                                                  manager)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (project_id, organization_id) DO UPDATE
            SET token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at,
                created_by = excluded.created_by, manager = excluded.manager
            """;

    /**
     * Who has made a link.
     *
     * @param user a member of the organization; null for management
     * @param manager the secret key or the member of the project that acted for management
     */
    record Maker(@Nullable UserId user, @Nullable UUID manager) {}

    /** The link takes the place of the organization's last one. */
    Future<Void> replace(
            SqlConnection transaction,
            Organization organization,
            Buffer tokenHash,
            Maker maker,
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
                        maker.user(),
                        maker.manager())
                .mapEmpty();
    }

    /**
     * A link.
     *
     * @param role that the user who has made it has now; null if they are no member any more, or banned
     * @param hasKey whether a secret key has made it that was not revoked
     */
    record Stored(
            OrganizationId organization,
            Maker maker,
            @Nullable String role,
            boolean hasKey) {}

    private static final String FIND = """
            SELECT links.organization_id, links.created_by, links.manager, members.role,
                   EXISTS (SELECT FROM api_keys WHERE project_id = $1 AND id = links.manager) AS has_key
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
                            new Maker(maker == null ? null : new UserId(maker), row.getUUID("manager")),
                            row.getString("role"),
                            row.getBoolean("has_key"));
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
