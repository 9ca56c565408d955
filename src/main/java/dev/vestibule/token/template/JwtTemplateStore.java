package dev.vestibule.token.template;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import dev.vestibule.project.ClaimRule;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The templates of a project; the default one's claims also come with the project's settings. */
final class JwtTemplateStore {
    private static final String COLUMNS =
            "id, project_id, name, is_default, claims::text, allowed_lifetime_seconds, created_at, updated_at";

    private static final String LIST = """
            SELECT %s FROM jwt_templates WHERE project_id = $1 ORDER BY created_at, id
            """.formatted(COLUMNS);

    /** Oldest first. */
    Future<List<JwtTemplate>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project).map(rows -> Rows.all(rows, JwtTemplateStore::template));
    }

    private static final String FIND = """
            SELECT %s FROM jwt_templates WHERE project_id = $1 AND id = $2
            """.formatted(COLUMNS);

    Future<Optional<JwtTemplate>> find(SqlClient db, ProjectId project, UUID template) {
        return Sql.run(db, FIND, project, template).map(rows -> Rows.first(rows, JwtTemplateStore::template));
    }

    private static final String FIND_BY_NAME = """
            SELECT %s FROM jwt_templates WHERE project_id = $1 AND name = $2
            """.formatted(COLUMNS);

    Future<Optional<JwtTemplate>> findByName(SqlClient db, ProjectId project, String name) {
        return Sql.run(db, FIND_BY_NAME, project, name).map(rows -> Rows.first(rows, JwtTemplateStore::template));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM jwt_templates WHERE project_id = $1
            """;

    Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String CLEAR_DEFAULT = """
            UPDATE jwt_templates SET is_default = false WHERE project_id = $1 AND is_default AND id <> $2
            """;

    /** So that this template can become the default; the transaction holds the project's lock. */
    Future<Void> clearDefault(SqlClient transaction, ProjectId project, UUID next) {
        return Sql.run(transaction, CLEAR_DEFAULT, project, next).mapEmpty();
    }

    private static final String INSERT = """
            INSERT INTO jwt_templates (project_id, id, name, is_default, claims, allowed_lifetime_seconds,
                                       created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5::text::jsonb, $6, $7, $7)
            RETURNING %s
            """.formatted(COLUMNS);

    /** A 409 if another template has the name. */
    Future<JwtTemplate> insert(
            SqlClient transaction,
            ProjectId project,
            UUID id,
            JwtTemplateFields fields,
            boolean isDefault,
            Instant now) {
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        id,
                        fields.name(),
                        isDefault,
                        json(fields),
                        fields.allowedLifetime(),
                        now)
                .recover(failure -> Future.failedFuture(refusal(failure)))
                .map(rows -> Rows.single(rows, JwtTemplateStore::template));
    }

    private static final String UPDATE = """
            UPDATE jwt_templates
            SET name = $3, is_default = coalesce($4, is_default), claims = $5::text::jsonb,
                allowed_lifetime_seconds = $6, updated_at = $7
            WHERE project_id = $1 AND id = $2
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if there is no such template; a 409 if another one has the name. */
    Future<Optional<JwtTemplate>> update(
            SqlClient transaction, ProjectId project, UUID id, JwtTemplateFields fields, Instant now) {
        return Sql.run(
                        transaction,
                        UPDATE,
                        project,
                        id,
                        fields.name(),
                        fields.isDefault(),
                        json(fields),
                        fields.allowedLifetime(),
                        now)
                .recover(failure -> Future.failedFuture(refusal(failure)))
                .map(rows -> Rows.first(rows, JwtTemplateStore::template));
    }

    private static final String DELETE = """
            DELETE FROM jwt_templates WHERE project_id = $1 AND id = $2
            """;

    /** False if there is no such template. */
    Future<Boolean> delete(SqlClient db, ProjectId project, UUID template) {
        return Sql.run(db, DELETE, project, template).map(rows -> rows.rowCount() == 1);
    }

    /** As text, since the database client would round numbers. */
    private static String json(JwtTemplateFields fields) {
        return Json.encode(ClaimRule.stored(fields.claims())).toString();
    }

    private static Throwable refusal(Throwable failure) {
        return SqlFailures.isDuplicate(failure)
                ? ApiException.of(ErrorCode.NAME_TAKEN, "Another template of the project has this name.")
                : failure;
    }

    private static JwtTemplate template(Row row) {
        return new JwtTemplate(
                Objects.requireNonNull(row.getUUID("id")),
                new ProjectId(row.getUUID("project_id")),
                row.getString("name"),
                row.getBoolean("is_default"),
                ClaimRule.read(Json.storedObject(row.getString("claims"))),
                row.getInteger("allowed_lifetime_seconds"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
