package dev.vestibule.oauth.server;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.server.Resource.Scope;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The APIs of a project. */
final class ResourceStore {
    private static final String COLUMNS = "id, project_id, uri, name, scopes, is_default, created_at, updated_at";

    private static final String LIST = """
            SELECT %s FROM oauth_resources WHERE project_id = $1 ORDER BY created_at, id
            """.formatted(COLUMNS);

    /** Oldest first. */
    Future<List<Resource>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project).map(rows -> Rows.all(rows, ResourceStore::resource));
    }

    private static final String INSERT = """
            INSERT INTO oauth_resources (project_id, id, uri, name, scopes, is_default, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
            ON CONFLICT (project_id, uri) DO NOTHING
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if another API has this URI. */
    Future<Optional<Resource>> insert(
            SqlClient transaction, ProjectId project, UUID id, ResourceFields fields, Instant now) {
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        id,
                        fields.uri(),
                        fields.name(),
                        scopes(fields.scopes()),
                        fields.isDefault(),
                        now)
                .map(rows -> Rows.first(rows, ResourceStore::resource));
    }

    private static final String UPDATE = """
            UPDATE oauth_resources SET name = $3, scopes = $4, is_default = $5, updated_at = $6
            WHERE project_id = $1 AND id = $2 AND uri = $7
            RETURNING %s
            """.formatted(COLUMNS);

    /** Replaces everything but the URI, by which tokens know it. */
    Future<Optional<Resource>> update(
            SqlClient transaction, ProjectId project, UUID id, ResourceFields fields, Instant now) {
        return Sql.run(
                        transaction,
                        UPDATE,
                        project,
                        id,
                        fields.name(),
                        scopes(fields.scopes()),
                        fields.isDefault(),
                        now,
                        fields.uri())
                .map(rows -> Rows.first(rows, ResourceStore::resource));
    }

    private static final String CLEAR_DEFAULT = """
            UPDATE oauth_resources SET is_default = false WHERE project_id = $1 AND is_default AND id <> $2
            """;

    /** So that this one can become the default; the transaction holds the project's lock. */
    Future<Void> clearDefault(SqlClient transaction, ProjectId project, UUID next) {
        return Sql.run(transaction, CLEAR_DEFAULT, project, next).mapEmpty();
    }

    private static final String DELETE = """
            DELETE FROM oauth_resources WHERE project_id = $1 AND id = $2
            """;

    /** With the end of the grants for it and of what people have agreed to; false if there is none. */
    Future<Boolean> delete(SqlClient transaction, ProjectId project, UUID id) {
        return Sql.run(transaction, DELETE, project, id).map(rows -> rows.rowCount() == 1);
    }

    private static JsonObject scopes(List<Scope> scopes) {
        var array = new JsonArray();
        scopes.forEach(scope -> array.add(new JsonObject()
                .put("name", scope.name())
                .put("texts", new JsonObject(new LinkedHashMap<>(scope.texts())))));
        return new JsonObject().put("scopes", array);
    }

    private static Resource resource(Row row) {
        return new Resource(
                row.getUUID("id"),
                row.getString("uri"),
                row.getString("name"),
                row.getJsonObject("scopes").getJsonArray("scopes").stream()
                        .map(JsonObject.class::cast)
                        .map(scope -> new Scope(scope.getString("name"), texts(scope.getJsonObject("texts"))))
                        .toList(),
                row.getBoolean("is_default"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    private static Map<String, String> texts(JsonObject stored) {
        var texts = new LinkedHashMap<String, String>();
        stored.forEach(text -> texts.put(text.getKey(), String.valueOf(text.getValue())));
        return texts;
    }
}
