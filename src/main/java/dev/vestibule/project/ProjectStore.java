package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Shard;
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
import org.jspecify.annotations.Nullable;

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

    private static final String PLACE_COLUMNS =
            "shard, arrives, coalesce(leaves_until > clock_timestamp(), false) AS leaves";

    /**
     * What a database knows of where a project is.
     *
     * @param shard another database that has it, or from which it arrives; null if it is here
     * @param leaves whether a move copies it now
     */
    record Place(@Nullable Shard shard, boolean arrives, boolean leaves) {
        private static Place of(Row row) {
            var shard = row.getString("shard");
            return new Place(
                    shard == null ? null : new Shard(shard), row.getBoolean("arrives"), row.getBoolean("leaves"));
        }
    }

    private static final String FIND = """
            SELECT %s, %s FROM projects WHERE id = $1 AND deleted_at IS NULL
            """.formatted(COLUMNS, PLACE_COLUMNS);

    /** A project's row, which is out of date unless the project is in this place. */
    record Found(Project project, Place place) {}

    /** Empty if there is no such project, or it has been deleted. */
    Future<Optional<Found>> find(SqlClient db, ProjectId project) {
        return Sql.run(db, FIND, project).map(rows -> Rows.first(rows, row -> new Found(project(row), Place.of(row))));
    }

    private static final String PLACE = """
            SELECT %s FROM projects WHERE id = $1 AND deleted_at IS NULL
            """.formatted(PLACE_COLUMNS);

    /** Empty if this database knows of no such project. */
    Future<Optional<Place>> place(SqlClient db, ProjectId project) {
        return Sql.run(db, PLACE, project).map(rows -> Rows.first(rows, Place::of));
    }

    private static final String DATABASES = """
            WITH RECURSIVE found AS (
                (SELECT shard FROM projects WHERE shard IS NOT NULL ORDER BY shard LIMIT 1)
                UNION ALL
                SELECT (SELECT shard FROM projects WHERE shard > found.shard ORDER BY shard LIMIT 1)
                FROM found WHERE shard IS NOT NULL)
            SELECT shard FROM found WHERE shard IS NOT NULL
            """;

    /** The other databases to which this one leads. Finds one after another, and so does not read all projects. */
    Future<List<Shard>> databases(SqlClient db) {
        return Sql.run(db, DATABASES).map(rows -> Rows.all(rows, row -> new Shard(row.getString("shard"))));
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

    private static final String HIDE = """
            UPDATE projects SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL
            """;

    /** Hides a project whose slug another database retires, if it was not hidden before. */
    Future<Void> hide(SqlClient db, ProjectId project, Instant now) {
        return Sql.run(db, HIDE, project, now).mapEmpty();
    }

    /**
     * What home knows of a project that is elsewhere.
     *
     * @param shard the database that has it; home for a project that is not elsewhere
     */
    record Stub(ProjectId id, String name, String slug, Environment environment, Shard shard) {
        Stub withSlug(String other) {
            return new Stub(id, name, other, environment, shard);
        }
    }

    private static final String INSERT = """
            INSERT INTO projects (id, name, slug, environment, shard, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6)
            ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING
            """;

    /** Inserts a project at home, or what home knows of one that is elsewhere. False if the slug is taken. */
    Future<Boolean> insert(SqlClient db, Stub project, Instant now) {
        return insert(
                db, project, project.shard().isHome() ? null : project.shard().name(), now);
    }

    /** Inserts a project into its database, of whose slug home has made sure that it is free. */
    Future<Void> insertElsewhere(SqlClient db, Stub project, Instant now) {
        return freeSlug(db, project.id(), project.slug())
                .compose(freed -> insert(db, project, null, now))
                .mapEmpty();
    }

    private static Future<Boolean> insert(SqlClient db, Stub project, @Nullable String shard, Instant now) {
        return Sql.run(
                        db,
                        INSERT,
                        project.id(),
                        project.name(),
                        project.slug(),
                        project.environment().text(),
                        shard,
                        now)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String FREE_SLUG = """
            UPDATE projects SET slug = 'was-' || id WHERE slug = $2 AND id <> $1 AND deleted_at IS NULL
            """;

    /**
     * Takes a slug from any other row of a database that is not home. Such a row is out of date, since home has given
     * the slug to this project: for example one that a failed creation has left.
     */
    Future<Void> freeSlug(SqlClient db, ProjectId project, String slug) {
        return Sql.run(db, FREE_SLUG, project, slug).mapEmpty();
    }

    private static final String RENAME = """
            UPDATE projects SET name = $2 WHERE id = $1 AND deleted_at IS NULL
            """;

    /** Changes the name that home knows; a 404 if there is no such project. */
    Future<Void> rename(SqlClient atHome, ProjectId project, String name) {
        return Sql.run(atHome, RENAME, project, name)
                .compose(rows -> rows.rowCount() == 1 ? Future.succeededFuture() : Future.failedFuture(unknown()));
    }

    private static final String LOCK_STUB = """
            SELECT name, slug, environment, shard FROM projects
            WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
            """;

    /** What home knows of a project, locked until the transaction ends; empty if it knows of none. */
    Future<Optional<Stub>> lockStub(SqlClient atHome, ProjectId project) {
        return Sql.run(atHome, LOCK_STUB, project)
                .map(rows -> Rows.first(rows, row -> {
                    var shard = row.getString("shard");
                    return new Stub(
                            project,
                            row.getString("name"),
                            row.getString("slug"),
                            Environment.of(row.getString("environment")),
                            shard == null ? Shard.HOME : new Shard(shard));
                }));
    }

    private static final String FOLLOW = """
            UPDATE projects SET name = $2, slug = $3 WHERE id = $1 AND deleted_at IS NULL AND shard IS NULL
            """;

    /** Makes a project's own database agree with what home knows of it. */
    Future<Void> follow(SqlClient db, Stub known) {
        return freeSlug(db, known.id(), known.slug())
                .compose(freed -> Sql.run(db, FOLLOW, known.id(), known.name(), known.slug()))
                .mapEmpty();
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

    static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
    }

    private static Project project(Row row) {
        var claims = row.getString("default_claims");
        return ProjectMapping.read(row, claims == null ? List.of() : ClaimRule.read(Json.storedObject(claims)));
    }
}
