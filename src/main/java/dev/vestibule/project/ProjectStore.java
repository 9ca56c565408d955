package dev.vestibule.project;

import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The projects themselves. */
public final class ProjectStore {
    private static final String FIND = """
            SELECT id, name, slug, environment, allowed_origins, access_token_ttl_seconds, refresh_token_ttl_seconds,
                   max_concurrent_sessions
            FROM projects WHERE id = $1
            """;

    public Future<Optional<Project>> find(SqlClient db, ProjectId project) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value()))
                .map(rows -> Rows.first(rows, ProjectStore::project));
    }

    private static final String LOCK = """
            SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE
            """;

    /** Lets one transaction at a time go on with this project. */
    public Future<Void> lock(SqlClient transaction, ProjectId project) {
        return transaction
                .preparedQuery(LOCK)
                .execute(Tuple.of(project.value()))
                .mapEmpty();
    }

    private static final String INSERT = """
            INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $5)
            ON CONFLICT (slug) DO NOTHING
            """;

    /** False where the slug is taken. */
    public Future<Boolean> insert(
            SqlClient db, ProjectId project, String name, String slug, Environment environment, Instant now) {
        return db.preparedQuery(INSERT)
                .execute(Tuple.of(project.value(), name, slug, environment.text(), Rows.timestamp(now)))
                .map(rows -> rows.rowCount() == 1);
    }

    private static Project project(Row row) {
        return new Project(
                new ProjectId(row.getUUID("id")),
                row.getString("name"),
                row.getString("slug"),
                Environment.of(row.getString("environment")),
                List.of(row.getArrayOfStrings("allowed_origins")),
                Rows.optionalSeconds(row, "access_token_ttl_seconds"),
                Duration.ofSeconds(row.getInteger("refresh_token_ttl_seconds")),
                row.getInteger("max_concurrent_sessions"));
    }
}
