package dev.vestibule.event;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Writes events, each with a delivery for every endpoint that wants to know. */
final class EventStore {
    private static final String RECORD = """
            WITH told AS (
                SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
                    AS told (project_id, id, type, payload, created_at)),
            wanted AS (
                SELECT told.project_id, told.id, told.created_at, webhooks.id AS webhook_id
                FROM told JOIN webhooks ON webhooks.project_id = told.project_id
                WHERE webhooks.status = 'active' AND webhooks.events && ARRAY[told.type, '*']),
            kept AS (
                INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                SELECT project_id, id, type, payload, created_at FROM told
                WHERE id IN (SELECT id FROM wanted))
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT project_id, webhook_id, id, created_at, created_at FROM wanted
            """;

    /** Of any project, and how many deliveries wait for it now; an event that nobody wants leaves no trace. */
    Future<Integer> record(SqlClient transaction, List<Event> events) {
        return transaction
                .preparedQuery(RECORD)
                .execute(Tuple.from(new Object[] {
                    column(events, event -> event.projectId().value(), UUID[]::new),
                    column(events, Event::id, UUID[]::new),
                    column(events, Event::type, String[]::new),
                    column(events, event -> Json.encode(event).toString(), String[]::new),
                    column(events, event -> Rows.timestamp(event.timestamp()), OffsetDateTime[]::new)
                }))
                .map(rows -> rows.rowCount());
    }

    private static <C> C[] column(List<Event> rows, Function<Event, C> value, IntFunction<C[]> array) {
        return rows.stream().map(value).toArray(array);
    }
}
