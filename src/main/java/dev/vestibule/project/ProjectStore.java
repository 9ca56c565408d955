package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of the table {@code projects}. */
public final class ProjectStore {
    /** Includes the claims of the default template, so that issuing tokens costs no statement. */
    private static final String COLUMNS = ProjectMapping.COLUMNS
            + ", (SELECT claims::text FROM jwt_templates WHERE project_id = projects.id AND is_default) AS default_claims";

    private static final String FIND_BY_SLUG = """
            SELECT id, 1 AS choice FROM projects WHERE slug = $1 AND deleted_at IS NULL
            UNION ALL
            SELECT leads_to, 2 FROM retired_slugs WHERE project_id = $2 AND slug = $1 AND leads_to IS NOT NULL
            ORDER BY choice
            LIMIT 1
            """;

    /** The project that has the slug, or had it before it got another one; it may have been deleted by now. */
    public Future<Optional<ProjectId>> findBySlug(SqlClient db, String slug) {
        return Sql.run(db, FIND_BY_SLUG, slug, ProjectId.SYSTEM)
                .map(rows -> Rows.first(rows, row -> new ProjectId(row.getUUID("id"))));
    }

    private static final String FIND = """
            SELECT %s FROM projects WHERE id = $1 AND deleted_at IS NULL
            """.formatted(COLUMNS);

    /** Empty if there is no such project, or it has been deleted. */
    public Future<Optional<Project>> find(SqlClient db, ProjectId project) {
        return Sql.run(db, FIND, project).map(rows -> Rows.first(rows, ProjectStore::project));
    }

    private static final String LOCK = """
            SELECT id FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
            """;

    /** Locks the row until the transaction ends; a 404 if there is no such project, or it has been deleted. */
    public Future<Void> lock(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, LOCK, project)
                .compose(rows -> rows.size() == 1 ? Future.succeededFuture() : Future.failedFuture(unknown()));
    }

    private static final String LOCK_FOR_SLUG = """
            SELECT slug FROM projects WHERE id = $1 AND deleted_at IS NULL FOR UPDATE
            """;

    /** The present slug, locked until the transaction ends; a 404 as of {@link #lock}. */
    Future<String> lockForSlug(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, LOCK_FOR_SLUG, project)
                .map(rows -> Rows.first(rows, row -> row.getString("slug")).orElseThrow(ProjectStore::unknown));
    }

    private static final String SET_SLUG = """
            UPDATE projects SET slug = $2 WHERE id = $1
            """;

    /** False if another project has it; the transaction can then only be rolled back. */
    Future<Boolean> setSlug(SqlClient transaction, ProjectId project, String slug) {
        return Sql.run(transaction, SET_SLUG, project, slug)
                .map(true)
                .recover(failure -> SqlFailures.isDuplicate(failure)
                        ? Future.succeededFuture(false)
                        : Future.failedFuture(failure));
    }

    private static final String DELETE = """
            WITH hidden AS (
                UPDATE projects SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL
                RETURNING slug)
            INSERT INTO retired_slugs (project_id, slug, retired_at)
            SELECT $3, slug, $2 FROM hidden
            ON CONFLICT (project_id, slug) DO UPDATE SET retired_at = excluded.retired_at
            """;

    /**
     * Hides the project and retires its slug; {@link DeletedProjects} removes its rows. A 404 if there is no such
     * project.
     */
    public Future<Void> delete(SqlClient db, ProjectId project, Instant now) {
        return Sql.run(db, DELETE, project, now, ProjectId.SYSTEM)
                .compose(rows -> rows.rowCount() == 1 ? Future.succeededFuture() : Future.failedFuture(unknown()));
    }

    private static final String INSERT = """
            INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $5)
            ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING
            """;

    /** False if the slug is taken. */
    public Future<Boolean> insert(
            SqlClient db, ProjectId project, String name, String slug, Environment environment, Instant now) {
        return Sql.run(db, INSERT, project, name, slug, environment.text(), now).map(rows -> rows.rowCount() == 1);
    }

    private static final String WITHDRAW = """
            DELETE FROM projects WHERE id = $1
            """;

    /** Undoes an insert of the same transaction; nothing refers to the row yet. */
    Future<Void> withdraw(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, WITHDRAW, project).mapEmpty();
    }

    /**
     * Settings that a change does not name keep their values. Requiring second factors again does not start a new grace
     * period.
     */
    private static final String UPDATE = """
            UPDATE projects
            SET (%1$s, mfa_required_since, updated_at) = (
                SELECT %1$s,
                       CASE WHEN mfa_required_since IS NOT NULL
                           THEN coalesce(projects.mfa_required_since, mfa_required_since) END,
                       $3::timestamptz
                FROM jsonb_populate_record(projects, $2::jsonb))
            WHERE id = $1 AND deleted_at IS NULL
            RETURNING %2$s
            """.formatted(ProjectMapping.CHANGED_COLUMNS, COLUMNS);

    /**
     * Sets columns to the values of {@link ProjectMapping#changes}. Empty if there is no such project, or it has been
     * deleted.
     */
    Future<Optional<Project>> update(SqlClient db, ProjectId project, JsonObject changes, Instant now) {
        return Sql.run(db, UPDATE, project, changes, now).map(rows -> Rows.first(rows, ProjectStore::project));
    }

    private static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
    }

    private static Project project(Row row) {
        var claims = row.getString("default_claims");
        return ProjectMapping.read(row, claims == null ? List.of() : ClaimRule.read(Json.storedObject(claims)));
    }
}
