package dev.vestibule.journal.event;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Writes events, each with a delivery for every subscribed endpoint. */
final class EventStore {
    private static final String RECORD = """
            WITH recorded AS (
                SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
                    AS recorded (project_id, id, type, payload, created_at)),
            subscribed AS (
                SELECT recorded.project_id, recorded.id, recorded.created_at, webhooks.id AS webhook_id
                FROM recorded JOIN webhooks ON webhooks.project_id = recorded.project_id
                WHERE webhooks.status = 'active' AND webhooks.events && ARRAY[recorded.type, '*']),
            kept AS (
                INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                SELECT project_id, id, type, payload, created_at FROM recorded
                WHERE id IN (SELECT id FROM subscribed))
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT project_id, webhook_id, id, created_at, created_at FROM subscribed
            """;

    /** Stores events of any projects, and returns the number of new deliveries. An event without any is not stored. */
    Future<Integer> record(SqlClient transaction, List<Event> events) {
        return transaction
                .preparedQuery(RECORD)
                .execute(Tuple.from(new Object[] {
                    Rows.column(events, event -> event.projectId().value(), UUID[]::new),
                    Rows.column(events, Event::id, UUID[]::new),
                    Rows.column(events, Event::type, String[]::new),
                    Rows.column(events, event -> Json.encode(event).toString(), String[]::new),
                    Rows.column(events, event -> Rows.timestamp(event.timestamp()), OffsetDateTime[]::new)
                }))
                .map(rows -> rows.rowCount());
    }
}
