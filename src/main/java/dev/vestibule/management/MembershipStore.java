package dev.vestibule.management;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;

/** Which dashboard users keep which projects. */
public final class MembershipStore {
    private static final String ADD_OWNER = """
            INSERT INTO memberships (project_id, user_id, role, created_at) VALUES ($1, $2, 'owner', $3)
            """;

    public Future<Void> addOwner(SqlClient db, ProjectId project, UserId owner, Instant now) {
        return db.preparedQuery(ADD_OWNER)
                .execute(Tuple.of(project.value(), owner.value(), Rows.timestamp(now)))
                .mapEmpty();
    }

    private static final String PROJECTS_OF = """
            SELECT projects.id, projects.name, projects.slug,
                   (SELECT count(*) FROM users WHERE users.project_id = projects.id) AS user_count
            FROM memberships JOIN projects ON projects.id = memberships.project_id
            WHERE memberships.user_id = $1
            ORDER BY projects.created_at DESC, projects.id DESC
            """;

    /** A project as a list shows it. */
    public record ProjectItem(ProjectId id, String name, String slug, long userCount) {}

    /** Newest first. */
    public Future<List<ProjectItem>> projectsOf(SqlClient db, UserId dashboardUser) {
        return db.preparedQuery(PROJECTS_OF)
                .execute(Tuple.of(dashboardUser.value()))
                .map(rows -> Rows.all(
                        rows,
                        row -> new ProjectItem(
                                new ProjectId(row.getUUID("id")),
                                row.getString("name"),
                                row.getString("slug"),
                                row.getLong("user_count"))));
    }
}
