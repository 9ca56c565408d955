package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.Change;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of the table {@code projects}. */
public final class ProjectStore {
    /** A part of the settings, so that a template costs no statement where tokens are issued. */
    private static final String DEFAULT_CLAIMS =
            "(SELECT claims::text FROM jwt_templates WHERE project_id = projects.id AND is_default) AS default_claims";

    private static final String FIND_BY_SLUG = """
            SELECT id FROM projects WHERE slug = $1 AND deleted_at IS NULL
            """;

    /** Empty if there is no such project, or it has been deleted. */
    public Future<Optional<ProjectId>> findBySlug(SqlClient db, String slug) {
        return db.preparedQuery(FIND_BY_SLUG)
                .execute(Tuple.of(slug))
                .map(rows -> Rows.first(rows, row -> new ProjectId(row.getUUID("id"))));
    }

    private static final String FIND = """
            SELECT id, name, slug, environment, callback_url, password_reset_url, email_undo_url, allowed_origins,
                   access_token_ttl_seconds, refresh_token_ttl_seconds, max_session_lifetime_seconds, max_concurrent_sessions,
                   require_email_verification, require_recent_sign_in_seconds, allow_self_deletion, security_notices, locale,
                   default_country, created_at, %s, %s
            FROM projects WHERE id = $1 AND deleted_at IS NULL
            """.formatted(FactorSettingsStore.COLUMNS, DEFAULT_CLAIMS);

    /** Empty if there is no such project, or it has been deleted. */
    public Future<Optional<Project>> find(SqlClient db, ProjectId project) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value()))
                .map(rows -> Rows.first(rows, ProjectStore::project));
    }

    private static final String LOCK = """
            SELECT id FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
            """;

    /** Locks the row until the transaction ends; a 404 if there is no such project, or it has been deleted. */
    public Future<Void> lock(SqlClient transaction, ProjectId project) {
        return transaction
                .preparedQuery(LOCK)
                .execute(Tuple.of(project.value()))
                .compose(rows -> rows.size() == 1 ? Future.succeededFuture() : Future.failedFuture(unknown()));
    }

    private static final String DELETE = """
            WITH hidden AS (
                UPDATE projects SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL
                RETURNING slug)
            INSERT INTO retired_slugs (project_id, slug, retired_at)
            SELECT $3, slug, $2 FROM hidden
            ON CONFLICT (project_id, slug) DO UPDATE SET retired_at = excluded.retired_at
            """;

    /** Hides the project, whose slug retires; {@link DeletedProjects} removes its rows. A 404 if there is no such project. */
    public Future<Void> delete(SqlClient db, ProjectId project, Instant now) {
        return db.preparedQuery(DELETE)
                .execute(Tuple.of(project.value(), Rows.timestamp(now), ProjectId.SYSTEM.value()))
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
        return db.preparedQuery(INSERT)
                .execute(Tuple.of(project.value(), name, slug, environment.text(), Rows.timestamp(now)))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String WITHDRAW = """
            DELETE FROM projects WHERE id = $1
            """;

    /** Takes back an insert of the same transaction, which nothing refers to yet. */
    Future<Void> withdraw(SqlClient transaction, ProjectId project) {
        return transaction
                .preparedQuery(WITHDRAW)
                .execute(Tuple.of(project.value()))
                .mapEmpty();
    }

    private static final String UPDATE = """
            UPDATE projects
            SET name = CASE WHEN $2 THEN $3 ELSE name END,
                callback_url = CASE WHEN $4 THEN $5 ELSE callback_url END,
                allowed_origins = CASE WHEN $6 THEN coalesce($7::text[], '{}') ELSE allowed_origins END,
                access_token_ttl_seconds = CASE WHEN $8 THEN $9 ELSE access_token_ttl_seconds END,
                refresh_token_ttl_seconds = CASE WHEN $10 THEN $11 ELSE refresh_token_ttl_seconds END,
                max_session_lifetime_seconds = CASE WHEN $12 THEN $13 ELSE max_session_lifetime_seconds END,
                max_concurrent_sessions = CASE WHEN $14 THEN $15 ELSE max_concurrent_sessions END,
                require_email_verification = CASE WHEN $16 THEN $17 ELSE require_email_verification END,
                locale = CASE WHEN $18 THEN $19 ELSE locale END,
                password_reset_url = CASE WHEN $20 THEN $21 ELSE password_reset_url END,
                require_recent_sign_in_seconds = CASE WHEN $22 THEN $23 ELSE require_recent_sign_in_seconds END,
                default_country = CASE WHEN $24 THEN $25 ELSE default_country END,
                allow_self_deletion = CASE WHEN $26 THEN $27 ELSE allow_self_deletion END,
                email_undo_url = CASE WHEN $28 THEN $29 ELSE email_undo_url END,
                security_notices = CASE WHEN $30 THEN $31 ELSE security_notices END,
                updated_at = $32
            WHERE id = $1 AND deleted_at IS NULL
            RETURNING id, name, slug, environment, callback_url, password_reset_url, email_undo_url, allowed_origins,
                      access_token_ttl_seconds, refresh_token_ttl_seconds, max_session_lifetime_seconds, max_concurrent_sessions,
                      require_email_verification, require_recent_sign_in_seconds, allow_self_deletion, security_notices, locale,
                      default_country, created_at, %s, %s
            """.formatted(FactorSettingsStore.COLUMNS, DEFAULT_CLAIMS);

    /** The change of each setting, if any; lifetimes are in seconds. */
    public record Update(
            Change<String> name,
            Change<String> callbackUrl,
            Change<List<String>> allowedOrigins,
            Change<Integer> accessTokenTtl,
            Change<Integer> refreshTokenTtl,
            Change<Integer> maxSessionLifetime,
            Change<Integer> maxConcurrentSessions,
            Change<Boolean> requireEmailVerification,
            Change<Language> locale,
            Change<String> passwordResetUrl,
            Change<Integer> requireRecentSignIn,
            Change<String> defaultCountry,
            Change<Boolean> allowSelfDeletion,
            Change<String> emailUndoUrl,
            Change<Boolean> securityNotices) {}

    /** Empty if there is no such project, or it has been deleted. */
    public Future<Optional<Project>> update(SqlClient db, ProjectId project, Update update, Instant now) {
        var origins = update.allowedOrigins().value();
        var locale = update.locale().value();
        return db.preparedQuery(UPDATE)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    update.name().isMade(),
                    update.name().value(),
                    update.callbackUrl().isMade(),
                    update.callbackUrl().value(),
                    update.allowedOrigins().isMade(),
                    origins == null ? null : origins.toArray(String[]::new),
                    update.accessTokenTtl().isMade(),
                    update.accessTokenTtl().value(),
                    update.refreshTokenTtl().isMade(),
                    update.refreshTokenTtl().value(),
                    update.maxSessionLifetime().isMade(),
                    update.maxSessionLifetime().value(),
                    update.maxConcurrentSessions().isMade(),
                    update.maxConcurrentSessions().value(),
                    update.requireEmailVerification().isMade(),
                    update.requireEmailVerification().value(),
                    update.locale().isMade(),
                    locale == null ? null : locale.text(),
                    update.passwordResetUrl().isMade(),
                    update.passwordResetUrl().value(),
                    update.requireRecentSignIn().isMade(),
                    update.requireRecentSignIn().value(),
                    update.defaultCountry().isMade(),
                    update.defaultCountry().value(),
                    update.allowSelfDeletion().isMade(),
                    update.allowSelfDeletion().value(),
                    update.emailUndoUrl().isMade(),
                    update.emailUndoUrl().value(),
                    update.securityNotices().isMade(),
                    update.securityNotices().value(),
                    Rows.timestamp(now)
                }))
                .map(rows -> Rows.first(rows, ProjectStore::project));
    }

    private static ApiException unknown() {
        return ApiException.notFound("There is no such project.");
    }

    private static Project project(Row row) {
        var locale = row.getString("locale");
        var claims = row.getString("default_claims");
        return new Project(
                new ProjectId(row.getUUID("id")),
                row.getString("name"),
                row.getString("slug"),
                Environment.of(row.getString("environment")),
                row.getString("callback_url"),
                row.getString("password_reset_url"),
                row.getString("email_undo_url"),
                List.of(row.getArrayOfStrings("allowed_origins")),
                Rows.optionalSeconds(row, "access_token_ttl_seconds"),
                Duration.ofSeconds(row.getInteger("refresh_token_ttl_seconds")),
                Duration.ofSeconds(row.getInteger("max_session_lifetime_seconds")),
                row.getInteger("max_concurrent_sessions"),
                row.getBoolean("require_email_verification"),
                Duration.ofSeconds(row.getInteger("require_recent_sign_in_seconds")),
                row.getBoolean("allow_self_deletion"),
                row.getBoolean("security_notices"),
                FactorSettingsStore.settings(row),
                locale == null ? null : Language.of(locale),
                row.getString("default_country"),
                Rows.instant(row, "created_at"),
                claims == null ? List.of() : ClaimRule.read(Json.storedObject(claims)));
    }
}
