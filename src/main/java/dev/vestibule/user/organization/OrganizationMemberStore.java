package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The members of organizations. A transaction that changes them must hold the organization's lock. */
final class OrganizationMemberStore {
    private static final String COLUMNS = """
            organization_members.organization_id, organization_members.user_id, organization_members.role,
            organization_members.created_at""";

    /** The user behind a member. */
    record Profile(
            @Nullable String email,
            @Nullable String displayName,
            @Nullable String avatarUrl) {}

    /** A member in a list. */
    record Listed(@JsonUnwrapped OrganizationMember member, Profile user) {}

    private static final String LIST = """
            SELECT %s, users.email, users.display_name, users.avatar_url
            FROM (
                SELECT * FROM organization_members
                WHERE project_id = $1 AND organization_id = $2
                ORDER BY created_at, user_id
                LIMIT $3 OFFSET $4) AS organization_members
            CROSS JOIN LATERAL (
                SELECT email, display_name, avatar_url FROM users
                WHERE project_id = $1 AND id = organization_members.user_id
                OFFSET 0) AS users
            ORDER BY organization_members.created_at, organization_members.user_id
            """.formatted(COLUMNS);

    /** The longest-standing first. */
    Future<List<Listed>> list(SqlClient db, Organization organization, Page page) {
        return Sql.run(db, LIST, organization.projectId(), organization.id(), page.limit(), page.offset())
                .map(rows -> Rows.all(
                        rows,
                        row -> new Listed(
                                member(row),
                                new Profile(
                                        row.getString("email"),
                                        row.getString("display_name"),
                                        row.getString("avatar_url")))));
    }

    private static final String FIND = """
            SELECT %s FROM organization_members WHERE project_id = $1 AND organization_id = $2 AND user_id = $3
            """.formatted(COLUMNS);

    /** Empty if the user is not a member. */
    Future<Optional<OrganizationMember>> find(
            SqlClient db, ProjectId project, OrganizationId organization, UserId user) {
        return Sql.run(db, FIND, project, organization, user)
                .map(rows -> Rows.first(rows, OrganizationMemberStore::member));
    }

    private static final String LOCK_USER = """
            SELECT FROM users WHERE project_id = $1 AND id = $2 FOR KEY SHARE
            """;

    /** Keeps the user from being deleted until the transaction ends; false if there is no such user. */
    Future<Boolean> lockUser(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, LOCK_USER, project, user).map(rows -> rows.size() == 1);
    }

    private static final String ADD = """
            WITH room AS (
                UPDATE organizations SET member_count = member_count + 1
                WHERE project_id = $1 AND id = $2 AND member_count < max_members
                RETURNING id),
            forgotten AS (
                DELETE FROM organization_removals
                WHERE project_id = $1 AND organization_id = $2 AND user_id = $3)
            INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)
            SELECT $1, id, $3, $4, $5 FROM room
            RETURNING %s
            """.formatted(COLUMNS);

    /**
     * Adds a user who is not a member; empty if the organization is full. The transaction holds the user's lock too.
     */
    Future<Optional<OrganizationMember>> add(
            SqlClient transaction, Organization organization, UserId user, String role, Instant now) {
        return Sql.run(transaction, ADD, organization.projectId(), organization.id(), user, role, now)
                .map(rows -> Rows.first(rows, OrganizationMemberStore::member));
    }

    /** Otherwise somebody who was removed or demoted could come back by an invitation to an address of their own. */
    private static final String WITHDRAW_INVITATIONS = """
            withdrawn AS (
                DELETE FROM organization_invitations
                WHERE project_id = $1 AND organization_id = $2 AND invited_by = ANY (%s) AND status = 'pending')""";

    private static final String OF_ONE = WITHDRAW_INVITATIONS.formatted("ARRAY[$3::uuid]");

    private static final String CHANGE_ROLE = """
            WITH %s
            UPDATE organization_members SET role = $4, token_id = gen_random_uuid()
            WHERE project_id = $1 AND organization_id = $2 AND user_id = $3
            RETURNING %s
            """.formatted(OF_ONE, COLUMNS);

    Future<OrganizationMember> changeRole(SqlClient transaction, Organization organization, UserId user, String role) {
        return Sql.run(transaction, CHANGE_ROLE, organization.projectId(), organization.id(), user, role)
                .map(rows -> Rows.single(rows, OrganizationMemberStore::member));
    }

    /** A member who has another role now. */
    record Changed(OrganizationMember member, String from) {}

    private static final String OF_GIVEN = WITHDRAW_INVITATIONS.formatted("SELECT user_id FROM given");

    private static final String GIVE_ROLE = """
            WITH given AS (
                SELECT user_id, role AS role_before FROM organization_members
                WHERE project_id = $1 AND organization_id = $2 AND user_id = ANY ($3::uuid[])
                  AND role NOT IN ('owner', $4::text)),
            %s
            UPDATE organization_members SET role = $4, token_id = gen_random_uuid() FROM given
            WHERE organization_members.project_id = $1 AND organization_members.organization_id = $2
              AND organization_members.user_id = given.user_id
            RETURNING given.role_before, %s
            """.formatted(OF_GIVEN, COLUMNS);

    /** Gives it to those of the users who are members with other roles, except owners. */
    Future<List<Changed>> giveRole(SqlClient transaction, Organization organization, List<UserId> users, String role) {
        return Sql.run(
                        transaction,
                        GIVE_ROLE,
                        organization.projectId(),
                        organization.id(),
                        Rows.column(users, UserId::value, UUID[]::new),
                        role)
                .map(rows -> Rows.all(rows, row -> new Changed(member(row), row.getString("role_before"))));
    }

    private static final String HAS_OTHER_OWNER = """
            SELECT FROM organization_members
            WHERE project_id = $1 AND organization_id = $2 AND user_id <> $3 AND role = 'owner'
            LIMIT 1
            """;

    /** Whether the organization has an owner other than this user. */
    Future<Boolean> hasOtherOwner(SqlClient transaction, Organization organization, UserId user) {
        return Sql.run(transaction, HAS_OTHER_OWNER, organization.projectId(), organization.id(), user)
                .map(rows -> rows.size() > 0);
    }

    private static final String REMOVE = """
            WITH removed AS (
                DELETE FROM organization_members WHERE project_id = $1 AND organization_id = $2 AND user_id = $3
                RETURNING organization_id),
            %s
            UPDATE organizations SET member_count = member_count - 1
            FROM removed
            WHERE organizations.project_id = $1 AND organizations.id = removed.organization_id
            """.formatted(OF_ONE);

    /** Withdraws the invitations that they have sent, too. */
    Future<Void> remove(SqlClient transaction, Organization organization, UserId user) {
        return Sql.run(transaction, REMOVE, organization.projectId(), organization.id(), user)
                .mapEmpty();
    }

    private static final String KEEP_OUT = """
            INSERT INTO organization_removals (project_id, organization_id, user_id, created_at)
            SELECT $1::uuid, $2::uuid, $3::uuid, $4::timestamptz
            WHERE NOT EXISTS (
                SELECT FROM organization_members WHERE project_id = $1 AND organization_id = $2 AND user_id = $3)
            ON CONFLICT DO NOTHING
            """;

    /**
     * Unless they are a member, they become one only if somebody adds them from now on. The transaction holds the
     * user's lock too.
     */
    Future<Void> keepOut(SqlClient transaction, Organization organization, UserId user, Instant now) {
        return Sql.run(transaction, KEEP_OUT, organization.projectId(), organization.id(), user, now)
                .mapEmpty();
    }

    private static final String IS_KEPT_OUT = """
            SELECT FROM organization_removals WHERE project_id = $1 AND organization_id = $2 AND user_id = $3
            """;

    /** Whether somebody has removed the user and nobody has added them since. */
    Future<Boolean> isKeptOut(SqlClient db, ProjectId project, OrganizationId organization, UserId user) {
        return Sql.run(db, IS_KEPT_OUT, project, organization, user).map(rows -> rows.size() > 0);
    }

    private static OrganizationMember member(Row row) {
        return new OrganizationMember(
                new OrganizationId(row.getUUID("organization_id")),
                new UserId(row.getUUID("user_id")),
                row.getString("role"),
                Rows.instant(row, "created_at"));
    }
}
