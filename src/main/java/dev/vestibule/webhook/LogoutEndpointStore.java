package dev.vestibule.webhook;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;

/**
 * The endpoints at which clients of the authorization server learn that a session ended (OpenID Connect Back-Channel
 * Logout). They are rows of {@code webhooks}, so deliveries to them are retried and logged as all others are.
 */
public final class LogoutEndpointStore {
    /** The endpoint, whose id finds the log of its deliveries. */
    public record LogoutEndpoint(WebhookId id, String url) {}

    private static final String FIND = """
            SELECT id, url FROM webhooks WHERE project_id = $1 AND client_id = $2
            """;

    public Future<Optional<LogoutEndpoint>> find(SqlClient db, ProjectId project, String client) {
        return Sql.run(db, FIND, project, client)
                .map(rows -> Rows.first(
                        rows, row -> new LogoutEndpoint(new WebhookId(row.getUUID("id")), row.getString("url"))));
    }

    private static final String PUT = """
            INSERT INTO webhooks (project_id, id, client_id, url, events, status, created_at, updated_at)
            VALUES ($1, $2, $3, $4, '{}', 'active', $5, $5)
            ON CONFLICT (project_id, client_id) WHERE client_id IS NOT NULL DO UPDATE
            SET url = excluded.url, status = 'active', failing_since = NULL, updated_at = excluded.updated_at
            """;

    /** Sets the client's URL; an endpoint that was disabled because it only failed is active again. */
    public Future<Void> put(SqlClient db, ProjectId project, String client, String url, Instant now) {
        return Sql.run(db, PUT, project, WebhookId.next(), client, url, now).mapEmpty();
    }

    private static final String DELETE = """
            DELETE FROM webhooks WHERE project_id = $1 AND client_id = $2
            """;

    public Future<Void> delete(SqlClient db, ProjectId project, String client) {
        return Sql.run(db, DELETE, project, client).mapEmpty();
    }
}
