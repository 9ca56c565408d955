package dev.vestibule.user.organization;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.organization.OrganizationInvitation.Status;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The invitations to organizations. */
final class OrganizationInvitationStore {
    static final OldRows EXPIRED = OldRows.by("organization_invitations", "expires_at");

    private static final String COLUMNS = """
            organization_invitations.id, organization_invitations.organization_id, organization_invitations.email,
            organization_invitations.role, organization_invitations.status, organization_invitations.invited_by,
            organization_invitations.created_at, organization_invitations.expires_at""";

    /** A repeated invitation keeps its id, and its last token is invalid at once. */
    private static final String PUT = """
            INSERT INTO organization_invitations (project_id, id, organization_id, email, role, status, invited_by,
                                                  mail_id, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, 'pending', $6, $2, $7, $8)
            ON CONFLICT (project_id, organization_id, email) WHERE status = 'pending'
            DO UPDATE SET role = $5, token_hash = NULL, invited_by = $6, mail_id = $2, expires_at = $8
            RETURNING %s
            """.formatted(COLUMNS);

    /** The transaction holds the organization's lock. The mail's id becomes that of a new invitation too. */
    Future<OrganizationInvitation> put(
            SqlClient transaction,
            Organization organization,
            String email,
            String role,
            UUID inviter,
            UUID mail,
            Instant now,
            Instant expiresAt) {
        return Sql.run(
                        transaction,
                        PUT,
                        organization.projectId(),
                        mail,
                        organization.id(),
                        email,
                        role,
                        inviter,
                        now,
                        expiresAt)
                .map(rows -> Rows.single(rows, row -> invitation(row, now)));
    }

    private static final String PENDING_ROLE = """
            SELECT role FROM organization_invitations
            WHERE project_id = $1 AND organization_id = $2 AND email = $3 AND status = 'pending'
            """;

    /** The role of the invitation that this email has; empty for none. */
    Future<Optional<String>> pendingRole(SqlClient transaction, Organization organization, String email) {
        return Sql.run(transaction, PENDING_ROLE, organization.projectId(), organization.id(), email)
                .map(rows -> Rows.first(rows, row -> row.getString("role")));
    }

    private static final String COUNT_OTHERS = """
            SELECT count(*) AS others FROM organization_invitations
            WHERE project_id = $1 AND organization_id = $2 AND status = 'pending' AND email <> $3
            """;

    /** How many other addresses are invited. */
    Future<Long> countOthers(SqlClient transaction, Organization organization, String email) {
        return Sql.run(transaction, COUNT_OTHERS, organization.projectId(), organization.id(), email)
                .map(rows -> Rows.single(rows, row -> row.getLong("others")));
    }

    private static final String HAS_MEMBER = """
            SELECT FROM users
            JOIN organization_members ON organization_members.project_id = users.project_id
             AND organization_members.organization_id = $2 AND organization_members.user_id = users.id
            WHERE users.project_id = $1 AND users.email = $3
            """;

    /** Whether a member has the email. */
    Future<Boolean> hasMember(SqlClient transaction, Organization organization, String email) {
        return Sql.run(transaction, HAS_MEMBER, organization.projectId(), organization.id(), email)
                .map(rows -> rows.size() > 0);
    }

    private static final String LIST = """
            SELECT %s FROM organization_invitations
            WHERE project_id = $1 AND organization_id = $2
            ORDER BY created_at DESC, id DESC
            LIMIT $3 OFFSET $4
            """.formatted(COLUMNS);

    /** Newest first, including those that were accepted, rejected or expired lately. */
    Future<List<OrganizationInvitation>> list(SqlClient db, Organization organization, Page page, Instant now) {
        return Sql.run(db, LIST, organization.projectId(), organization.id(), page.limit(), page.offset())
                .map(rows -> Rows.all(rows, row -> invitation(row, now)));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM organization_invitations WHERE project_id = $1 AND organization_id = $2
            """;

    Future<Long> count(SqlClient db, Organization organization) {
        return Sql.run(db, COUNT, organization.projectId(), organization.id())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String FIND = """
            SELECT %s FROM organization_invitations WHERE project_id = $1 AND organization_id = $2 AND id = $3
            """.formatted(COLUMNS);

    Future<Optional<OrganizationInvitation>> find(
            SqlClient transaction, Organization organization, UUID id, Instant now) {
        return Sql.run(transaction, FIND, organization.projectId(), organization.id(), id)
                .map(rows -> Rows.first(rows, row -> invitation(row, now)));
    }

    private static final String RENEW = """
            UPDATE organization_invitations SET token_hash = NULL, expires_at = $3, mail_id = $4
            WHERE project_id = $1 AND id = $2 AND status = 'pending'
            RETURNING %s
            """.formatted(COLUMNS);

    /** Its last token is invalid at once; empty if it is no longer pending. */
    Future<Optional<OrganizationInvitation>> renew(
            SqlClient transaction, ProjectId project, UUID id, UUID mail, Instant now, Instant expiresAt) {
        return Sql.run(transaction, RENEW, project, id, expiresAt, mail)
                .map(rows -> Rows.first(rows, row -> invitation(row, now)));
    }

    private static final String SET_TOKEN = """
            UPDATE organization_invitations SET token_hash = $3, expires_at = $4
            FROM organizations, projects
            WHERE organization_invitations.project_id = $1 AND organization_invitations.mail_id = $2
              AND organization_invitations.status = 'pending'
              AND organizations.project_id = $1 AND organizations.id = organization_invitations.organization_id
              AND projects.id = $1
            RETURNING organizations.name, coalesce(projects.organization_invitation_url, projects.callback_url) AS page
            """;

    /** What the mail says; the page is null if the project has none. */
    record Sent(String organization, @Nullable String page) {}

    /** Empty if the invitation is no longer pending, or a later mail has the token. */
    Future<Optional<Sent>> setToken(SqlClient db, ProjectId project, UUID mail, Buffer tokenHash, Instant expiresAt) {
        return Sql.run(db, SET_TOKEN, project, mail, tokenHash, expiresAt)
                .map(rows -> Rows.first(rows, row -> new Sent(row.getString("name"), row.getString("page"))));
    }

    private static final String IS_GOOD = """
            token_hash = $2 AND status = 'pending' AND expires_at > $3
              AND NOT EXISTS (SELECT FROM users WHERE users.project_id = $1 AND users.id = invited_by AND is_banned)
            """;

    private static final String FIND_BY_TOKEN = """
            SELECT %s FROM organization_invitations WHERE project_id = $1 AND %s
            """.formatted(COLUMNS, IS_GOOD);

    /** Empty for an unknown, used, revoked or expired token, and while the person who invited is banned. */
    Future<Optional<OrganizationInvitation>> findByToken(
            SqlClient db, ProjectId project, Buffer tokenHash, Instant now) {
        return Sql.run(db, FIND_BY_TOKEN, project, tokenHash, now)
                .map(rows -> Rows.first(rows, row -> invitation(row, now)));
    }

    private static final String CLOSE = """
            UPDATE organization_invitations SET status = $4, token_hash = NULL WHERE project_id = $1 AND %s
            RETURNING %s
            """.formatted(IS_GOOD, COLUMNS);

    /** Uses up the token, which only one of many simultaneous calls can; empty for the others. */
    Future<Optional<OrganizationInvitation>> close(
            SqlClient transaction, ProjectId project, Buffer tokenHash, Status status, Instant now) {
        return Sql.run(transaction, CLOSE, project, tokenHash, now, status.text())
                .map(rows -> Rows.first(rows, row -> invitation(row, now)));
    }

    private static final String REMOVE = """
            DELETE FROM organization_invitations WHERE project_id = $1 AND organization_id = $2 AND id = $3
            """;

    /** False if there is no such invitation. */
    Future<Boolean> remove(SqlClient transaction, Organization organization, UUID id) {
        return Sql.run(transaction, REMOVE, organization.projectId(), organization.id(), id)
                .map(rows -> rows.rowCount() == 1);
    }

    private static OrganizationInvitation invitation(Row row, Instant now) {
        var stored = Status.of(row.getString("status"));
        var expiresAt = Rows.instant(row, "expires_at");
        return new OrganizationInvitation(
                Objects.requireNonNull(row.getUUID("id")),
                new OrganizationId(row.getUUID("organization_id")),
                row.getString("email"),
                row.getString("role"),
                stored == Status.PENDING && !expiresAt.isAfter(now) ? Status.EXPIRED : stored,
                row.getUUID("invited_by"),
                expiresAt,
                Rows.instant(row, "created_at"));
    }
}
