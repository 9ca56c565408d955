package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.UserCounts.Place;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The members of projects: rows of project, dashboard user and role. Only lists include invitations. */
public final class MemberStore {
    private static final String LIST = """
            SELECT true AS is_active, users.id, users.email, users.display_name, memberships.role,
                   memberships.created_at, NULL::timestamptz AS expires_at
            FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1
            UNION ALL
            SELECT false, id, email, NULL, role, created_at, expires_at
            FROM invitations WHERE project_id = $1
            ORDER BY created_at DESC, id DESC
            LIMIT $3 OFFSET $4
            """;

    /** Members and invitations, newest first. */
    public Future<List<Member>> list(SqlClient db, ProjectId project, Page page, Instant now) {
        return Sql.run(db, LIST, project, ProjectId.SYSTEM, page.limit(), page.offset())
                .map(rows -> Rows.all(rows, row -> row.getBoolean("is_active") ? member(row) : invited(row, now)));
    }

    static Member invited(Row row, Instant now) {
        return Member.invited(
                row.getUUID("id"),
                row.getString("email"),
                Role.of(row.getString("role")),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "expires_at"),
                now);
    }

    private static final String COUNT = """
            SELECT (SELECT count(*)
                    FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
                    WHERE memberships.project_id = $1)
                 + (SELECT count(*) FROM invitations WHERE project_id = $1) AS total
            """;

    /** The number of members and invitations. */
    public Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project, ProjectId.SYSTEM)
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String HAS_EMAIL = """
            SELECT FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1 AND users.email = $3
            """;

    /** Whether a member has this email. */
    Future<Boolean> hasEmail(SqlClient db, ProjectId project, String email) {
        return Sql.run(db, HAS_EMAIL, project, ProjectId.SYSTEM, email).map(rows -> rows.size() > 0);
    }

    private static final String FIND = """
            SELECT users.id, users.email, users.display_name, memberships.role, memberships.created_at
            FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1 AND memberships.user_id = $3
            """;

    /** Empty if the dashboard user is not a member. */
    public Future<Optional<Member>> find(SqlClient db, ProjectId project, UserId member) {
        return Sql.run(db, FIND, project, ProjectId.SYSTEM, member).map(rows -> Rows.first(rows, MemberStore::member));
    }

    private static Member member(Row row) {
        return Member.active(
                new UserId(row.getUUID("id")),
                row.getString("email"),
                row.getString("display_name"),
                Role.of(row.getString("role")),
                Rows.instant(row, "created_at"));
    }

    private static final String ADD = """
            INSERT INTO memberships (project_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """;

    /** False if the user is already a member. */
    public Future<Boolean> add(SqlClient db, ProjectId project, UserId member, Role role, Instant now) {
        return Sql.run(db, ADD, project, member, role.text(), now).map(rows -> rows.rowCount() == 1);
    }

    private static final String ROLE = """
            SELECT role FROM memberships WHERE project_id = $1 AND user_id = $2
            """;

    /** Empty if the user is not a member. */
    public Future<Optional<Role>> role(SqlClient db, ProjectId project, UserId member) {
        return Sql.run(db, ROLE, project, member).map(rows -> Rows.first(rows, row -> Role.of(row.getString("role"))));
    }

    private static final String LOCK_IF_OWNER = """
            SELECT FROM memberships WHERE project_id = $1 AND user_id = $2 AND role = 'owner' FOR SHARE
            """;

    /** Whether the user is an owner; locks the row, so that they stay one until the transaction ends. */
    public Future<Boolean> lockIfOwner(SqlClient transaction, ProjectId project, UserId member) {
        return Sql.run(transaction, LOCK_IF_OWNER, project, member).map(rows -> rows.size() == 1);
    }

    private static final String HAS_OTHER_OWNER = """
            SELECT FROM memberships JOIN users ON users.project_id = $3 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1 AND memberships.user_id <> $2 AND memberships.role = 'owner'
            LIMIT 1
            """;

    /** Whether the project has an owner other than this member. */
    public Future<Boolean> hasOtherOwner(SqlClient db, ProjectId project, UserId member) {
        return Sql.run(db, HAS_OTHER_OWNER, project, member, ProjectId.SYSTEM).map(rows -> rows.size() > 0);
    }

    private static final String CHANGE_ROLE = """
            UPDATE memberships SET role = $3 WHERE project_id = $1 AND user_id = $2
            """;

    public Future<Void> changeRole(SqlClient db, ProjectId project, UserId member, Role role) {
        return Sql.run(db, CHANGE_ROLE, project, member, role.text()).mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM memberships WHERE project_id = $1 AND user_id = $2
            """;

    public Future<Void> remove(SqlClient db, ProjectId project, UserId member) {
        return Sql.run(db, REMOVE, project, member).mapEmpty();
    }

    private static final String REMOVE_ALL = """
            WITH invited AS (DELETE FROM invitations WHERE project_id = $1)
            DELETE FROM memberships WHERE project_id = $1
            """;

    /** Removes all members and invitations of a project that is being deleted. */
    public Future<Void> removeAll(SqlClient db, ProjectId project) {
        return Sql.run(db, REMOVE_ALL, project).mapEmpty();
    }

    private static final String PROJECTS_OF = """
            SELECT projects.id, projects.name, projects.slug, projects.environment, projects.shard, memberships.role,
                   (SELECT coalesce(sum(users), 0)::bigint FROM counts WHERE project_id = projects.id) AS user_count
            FROM memberships JOIN projects ON projects.id = memberships.project_id
            WHERE memberships.user_id = $1 AND projects.deleted_at IS NULL
            ORDER BY projects.id DESC
            LIMIT $2 OFFSET $3
            """;

    /**
     * A project in a member's list, with the member's own role.
     *
     * @param userCount null if another database has it, and does not answer
     */
    public record ProjectItem(
            ProjectId id,
            String name,
            String slug,
            Environment environment,
            Role role,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long userCount,

            @JsonIgnore Place place) {
        public ProjectItem withUserCount(@Nullable Long count) {
            return new ProjectItem(id, name, slug, environment, role, count, place);
        }
    }

    /** Newest first, without the counts of projects that are in other databases. */
    public Future<List<ProjectItem>> projectsOf(SqlClient db, UserId dashboardUser, Page page) {
        return Sql.run(db, PROJECTS_OF, dashboardUser, page.limit(), page.offset())
                .map(rows -> Rows.all(
                        rows,
                        row -> new ProjectItem(
                                new ProjectId(row.getUUID("id")),
                                row.getString("name"),
                                row.getString("slug"),
                                Environment.of(row.getString("environment")),
                                Role.of(row.getString("role")),
                                row.getLong("user_count"),
                                Place.of(new ProjectId(row.getUUID("id")), row.getString("shard")))));
    }

    private static final String COUNT_PROJECTS_OF = """
            SELECT count(*) AS total
            FROM memberships JOIN projects ON projects.id = memberships.project_id
            WHERE memberships.user_id = $1 AND projects.deleted_at IS NULL
            """;

    public Future<Long> countProjectsOf(SqlClient db, UserId dashboardUser) {
        return Sql.run(db, COUNT_PROJECTS_OF, dashboardUser)
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String LOCK_OWNER = """
            SELECT FROM users WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE
            """;

    private static final String COUNT_OWNED_BY = """
            SELECT count(*) AS total
            FROM memberships JOIN projects ON projects.id = memberships.project_id
            WHERE memberships.user_id = $1 AND memberships.role = 'owner' AND projects.deleted_at IS NULL
            """;

    /**
     * How many projects the dashboard user owns. Locks the user's row, so that simultaneous counts wait for each other.
     */
    public Future<Long> lockAndCountOwnedBy(SqlClient transaction, UserId dashboardUser) {
        return Sql.run(transaction, LOCK_OWNER, ProjectId.SYSTEM, dashboardUser)
                .compose(locked -> Sql.run(transaction, COUNT_OWNED_BY, dashboardUser))
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }
}
