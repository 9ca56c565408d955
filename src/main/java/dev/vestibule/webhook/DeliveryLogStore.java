package dev.vestibule.webhook;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Event;
import dev.vestibule.json.Json;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.Delivery.EventItem;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The deliveries of an endpoint, waiting or done, as its owner sees them. */
public final class DeliveryLogStore {
    /**
     * An index-only scan finds the page. An array then selects its rows, and the planner knows that an array is short;
     * their events are read one by one. With a join, the plan might read all events of the project.
     */
    private static final String LIST = """
            SELECT event_id, status, attempts, next_attempt_at, response_status, response_body, duration_millis,
                   error, delivery.created_at, attempted_at, event.type, NULL AS payload
            FROM webhook_deliveries AS delivery
            CROSS JOIN LATERAL (
                SELECT type FROM webhook_events WHERE project_id = $1 AND id = delivery.event_id LIMIT 1) AS event
            WHERE delivery.project_id = $1 AND webhook_id = $2 AND event_id = ANY (ARRAY(
                SELECT event_id FROM webhook_deliveries
                WHERE project_id = $1 AND webhook_id = $2
                ORDER BY event_id DESC
                LIMIT $3 OFFSET $4))
            ORDER BY event_id DESC
            """;

    /**
     * Each status has an index of its own. All waiting deliveries are read, because no index has them in this order.
     */
    private static final String LIST_BY_STATUS = """
            SELECT event_id, status, attempts, next_attempt_at, response_status, response_body, duration_millis,
                   error, delivery.created_at, attempted_at, event.type, NULL AS payload
            FROM webhook_deliveries AS delivery
            CROSS JOIN LATERAL (
                SELECT type FROM webhook_events WHERE project_id = $1 AND id = delivery.event_id LIMIT 1) AS event
            WHERE delivery.project_id = $1 AND webhook_id = $2 AND event_id = ANY (ARRAY(
                SELECT event_id FROM (
                    (SELECT event_id FROM webhook_deliveries
                     WHERE project_id = $1 AND webhook_id = $2 AND next_attempt_at IS NOT NULL AND $5 = 'waiting')
                    UNION ALL
                    (SELECT event_id FROM webhook_deliveries
                     WHERE project_id = $1 AND webhook_id = $2 AND status = 'dead' AND $5 = 'dead'
                     ORDER BY event_id DESC
                     LIMIT $3::bigint + $4::bigint)
                    UNION ALL
                    (SELECT event_id FROM webhook_deliveries
                     WHERE project_id = $1 AND webhook_id = $2 AND status = 'delivered' AND $5 = 'delivered'
                     ORDER BY event_id DESC
                     LIMIT $3::bigint + $4::bigint)) AS of_status
                ORDER BY event_id DESC
                LIMIT $3::bigint OFFSET $4::bigint))
            ORDER BY event_id DESC
            """;

    /** Newest first, of any status if none is given. */
    public Future<List<Delivery>> list(
            SqlClient db, ProjectId project, WebhookId webhook, Delivery.@Nullable Status status, Page page) {
        var rows = status == null
                ? Sql.run(db, LIST, project, webhook, page.limit(), page.offset())
                : Sql.run(db, LIST_BY_STATUS, project, webhook, page.limit(), page.offset(), status.text());
        return rows.map(found -> Rows.all(found, DeliveryLogStore::delivery));
    }

    /** Counts the waiting deliveries. The counts of the others, up to 30 days of them, are kept in a table. */
    private static final String TOTALS = """
            SELECT coalesce(sum(delivered), 0)::bigint AS delivered, coalesce(sum(dead), 0)::bigint AS dead,
                   (SELECT count(*) FROM webhook_deliveries
                    WHERE project_id = $1 AND webhook_id = $2 AND next_attempt_at IS NOT NULL) AS waiting
            FROM webhook_delivery_counts WHERE project_id = $1 AND webhook_id = $2
            """;

    /** The number of deliveries with this status, or of all if none is given. */
    public Future<Long> total(SqlClient db, ProjectId project, WebhookId webhook, Delivery.@Nullable Status status) {
        return Sql.run(db, TOTALS, project, webhook).map(rows -> Rows.single(rows, row -> total(row, status)));
    }

    private static long total(Row row, Delivery.@Nullable Status status) {
        return status == null
                ? row.getLong("waiting") + row.getLong("delivered") + row.getLong("dead")
                : row.getLong(status.text());
    }

    private static final String FIND = """
            SELECT event_id, status, attempts, next_attempt_at, response_status, response_body, duration_millis,
                   error, webhook_deliveries.created_at, attempted_at, type, payload
            FROM webhook_deliveries
            JOIN webhook_events ON webhook_events.project_id = $1 AND webhook_events.id = event_id
            WHERE webhook_deliveries.project_id = $1 AND webhook_id = $2 AND event_id = $3
            """;

    /** Returns the delivery with its payload; a 404 if there is no such delivery or it was removed. */
    Future<Delivery> require(SqlClient db, ProjectId project, WebhookId webhook, UUID delivery) {
        return Sql.run(db, FIND, project, webhook, delivery)
                .map(rows -> Rows.first(rows, DeliveryLogStore::delivery)
                        .orElseThrow(() ->
                                ApiException.of(ErrorCode.NOT_FOUND, "There is no such delivery, or it was removed.")));
    }

    private static final String RETRY = """
            WITH retried AS (
                SELECT project_id, webhook_id, event_id, status FROM webhook_deliveries
                WHERE project_id = $1 AND webhook_id = $2 AND event_id = $3
                  AND (claimed_until IS NULL OR claimed_until <= $4)
                  AND EXISTS (SELECT FROM webhook_events WHERE project_id = $1 AND id = $3)
                FOR UPDATE),
            uncounted AS (
                UPDATE webhook_delivery_counts AS kept
                SET delivered = delivered - (retried.status = 'delivered')::integer,
                    dead = dead - (retried.status = 'dead')::integer
                FROM retried
                WHERE kept.project_id = retried.project_id AND kept.webhook_id = retried.webhook_id
                  AND retried.status <> 'waiting')
            UPDATE webhook_deliveries AS delivery
            SET status = 'waiting', attempts = 0, next_attempt_at = $4, claimed_until = NULL
            FROM retried
            WHERE delivery.project_id = retried.project_id AND delivery.webhook_id = retried.webhook_id
              AND delivery.event_id = retried.event_id
            """;

    /** Makes the delivery due now, with all its attempts; false if there is no such delivery or it is being sent. */
    public Future<Boolean> retry(SqlClient db, ProjectId project, WebhookId webhook, UUID delivery, Instant now) {
        return Sql.run(db, RETRY, project, webhook, delivery, now).map(rows -> rows.rowCount() == 1);
    }

    /** The oldest first, as they happened. Another call at the same time takes the next ones. */
    private static final String RETRY_DEAD = """
            WITH retried AS (
                SELECT event_id FROM webhook_deliveries AS delivery
                WHERE project_id = $1 AND webhook_id = $2 AND status = 'dead'
                  AND EXISTS (SELECT FROM webhook_events WHERE project_id = $1 AND id = delivery.event_id)
                ORDER BY event_id
                LIMIT $4
                FOR UPDATE SKIP LOCKED),
            uncounted AS (
                UPDATE webhook_delivery_counts
                SET dead = dead - (SELECT count(*) FROM retried)
                WHERE project_id = $1 AND webhook_id = $2 AND EXISTS (SELECT FROM retried))
            UPDATE webhook_deliveries
            SET status = 'waiting', attempts = 0, next_attempt_at = $3, claimed_until = NULL
            WHERE project_id = $1 AND webhook_id = $2 AND event_id = ANY (ARRAY(SELECT event_id FROM retried))
            """;

    /** Makes up to so many dead deliveries due now, with all their attempts, and returns how many they were. */
    Future<Integer> retryDead(SqlClient db, ProjectId project, WebhookId webhook, Instant now, int limit) {
        return Sql.run(db, RETRY_DEAD, project, webhook, now, limit).map(SqlResult::rowCount);
    }

    private static final String ADD = """
            WITH endpoint AS (
                SELECT id FROM webhooks WHERE project_id = $1 AND id = $2 AND status = 'active' AND client_id IS NULL),
            event AS (
                INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                SELECT $1, $3, $4, $5, $6 FROM endpoint)
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT $1, id, $3, $6, $6 FROM endpoint
            """;

    /**
     * Adds a delivery to this endpoint only, even if it has not subscribed to the event; false if the endpoint is not
     * active.
     */
    public Future<Boolean> add(SqlClient db, ProjectId project, WebhookId webhook, Event event) {
        return Sql.run(
                        db,
                        ADD,
                        project,
                        webhook,
                        event.id(),
                        event.type(),
                        Json.encode(event).toString(),
                        event.timestamp())
                .map(rows -> rows.rowCount() == 1);
    }

    private static Delivery delivery(Row row) {
        var id = row.getUUID("event_id");
        return new Delivery(
                id,
                new EventItem(id, row.getString("type"), row.getString("payload")),
                Delivery.Status.of(row.getString("status")),
                row.getInteger("attempts"),
                Rows.optionalInstant(row, "next_attempt_at"),
                row.getInteger("response_status"),
                row.getString("response_body"),
                row.getInteger("duration_millis"),
                row.getString("error"),
                Rows.instant(row, "created_at"),
                Rows.optionalInstant(row, "attempted_at"));
    }
}
