package dev.vestibule.webhook;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Change;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The webhook endpoints of projects, with their signing secrets sealed by the master secret; those of clients have a
 * store of their own.
 */
public final class WebhookStore {
    static final SealedTable SEALED =
            SealedTable.of("webhooks", List.of("id"), List.of("sealed_secret", "sealed_previous_secret"));

    private final Sealer sealer;

    public WebhookStore(Sealer sealer) {
        this.sealer = sealer;
    }

    private static final String LIST = """
            SELECT id, url, events, status, failing_since, created_at, updated_at
            FROM webhooks WHERE project_id = $1 AND client_id IS NULL
            ORDER BY id DESC
            LIMIT $2 OFFSET $3
            """;

    /** Newest first. */
    public Future<List<Webhook>> list(SqlClient db, ProjectId project, Page page) {
        return Sql.run(db, LIST, project, page.limit(), page.offset())
                .map(rows -> Rows.all(rows, WebhookStore::webhook));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM webhooks WHERE project_id = $1 AND client_id IS NULL
            """;

    public Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String FIND = """
            SELECT id, url, events, status, failing_since, created_at, updated_at
            FROM webhooks WHERE project_id = $1 AND id = $2
            """;

    /** A 404 if the project has no such endpoint. Finds those of clients too, so that their log can be read. */
    Future<Webhook> require(SqlClient db, ProjectId project, WebhookId webhook) {
        return Sql.run(db, FIND, project, webhook)
                .map(rows -> Rows.first(rows, WebhookStore::webhook).orElseThrow(WebhookStore::notFound));
    }

    static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such webhook.");
    }

    private static final String INSERT = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
            """;

    public Future<Void> insert(SqlClient db, ProjectId project, Webhook webhook, SigningSecret secret) {
        return Sql.run(
                        db,
                        INSERT,
                        project,
                        webhook.id(),
                        webhook.url(),
                        webhook.events().toArray(String[]::new),
                        webhook.status().text(),
                        seal(secret, project, webhook.id()),
                        webhook.createdAt())
                .mapEmpty();
    }

    /** The days until a failing endpoint is disabled start over when it is enabled or gets another URL. */
    private static final String UPDATE = """
            UPDATE webhooks
            SET url = CASE WHEN $3 THEN $4 ELSE url END,
                events = CASE WHEN $5 THEN $6::text[] ELSE events END,
                status = CASE WHEN $7 THEN $8 ELSE status END,
                failing_since = CASE WHEN $8 = 'active' OR $4 <> url THEN NULL ELSE failing_since END,
                updated_at = $9
            WHERE project_id = $1 AND id = $2 AND client_id IS NULL
            RETURNING id, url, events, status, failing_since, created_at, updated_at
            """;

    /** The change of each field. */
    public record Update(Change<String> url, Change<List<String>> events, Change<Webhook.Status> status) {}

    /** Empty if the project has no such endpoint. */
    public Future<Optional<Webhook>> update(
            SqlClient db, ProjectId project, WebhookId webhook, Update update, Instant now) {
        var status = update.status().value();
        return Sql.run(
                        db,
                        UPDATE,
                        project,
                        webhook,
                        update.url().isMade(),
                        update.url().value(),
                        update.events().isMade(),
                        array(update.events().value()),
                        update.status().isMade(),
                        status == null ? null : status.text(),
                        now)
                .map(rows -> Rows.first(rows, WebhookStore::webhook));
    }

    private static final String ROTATE = """
            UPDATE webhooks
            SET sealed_previous_secret = sealed_secret, previous_secret_expires_at = $4,
                sealed_secret = $3, updated_at = $5
            WHERE project_id = $1 AND id = $2 AND client_id IS NULL
            """;

    /**
     * Makes the current secret the previous one, which still signs until it expires. False if there is no such
     * endpoint.
     */
    public Future<Boolean> rotate(
            SqlClient db,
            ProjectId project,
            WebhookId webhook,
            SigningSecret secret,
            Instant previousExpiresAt,
            Instant now) {
        return Sql.run(db, ROTATE, project, webhook, seal(secret, project, webhook), previousExpiresAt, now)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String DELETE = """
            DELETE FROM webhooks WHERE project_id = $1 AND id = $2 AND client_id IS NULL
            """;

    /** False if the project has no such endpoint. Its deliveries are removed in the background. */
    public Future<Boolean> delete(SqlClient db, ProjectId project, WebhookId webhook) {
        return Sql.run(db, DELETE, project, webhook).map(rows -> rows.rowCount() == 1);
    }

    /** Locks in the order of the keys, as every statement that writes several endpoints does, so that none deadlock. */
    private static final String DELETE_ALL = """
            DELETE FROM webhooks WHERE (project_id, id) IN (
                SELECT project_id, id FROM webhooks WHERE project_id = $1 ORDER BY id FOR UPDATE)
            """;

    public Future<Void> deleteAll(SqlClient db, ProjectId project) {
        return Sql.run(db, DELETE_ALL, project).mapEmpty();
    }

    private Buffer seal(SigningSecret secret, ProjectId project, WebhookId webhook) {
        return Buffer.buffer(secret.seal(sealer, project, webhook.value()));
    }

    private static Webhook webhook(Row row) {
        return new Webhook(
                new WebhookId(row.getUUID("id")),
                row.getString("url"),
                List.of(row.getArrayOfStrings("events")),
                Webhook.Status.of(row.getString("status")),
                Rows.optionalInstant(row, "failing_since"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    private static String @Nullable [] array(@Nullable List<String> texts) {
        return texts == null ? null : texts.toArray(String[]::new);
    }
}
