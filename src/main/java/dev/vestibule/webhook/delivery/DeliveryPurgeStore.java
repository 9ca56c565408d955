package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Removes old rows of all projects. Ids are UUIDv7 and begin with the time, so the primary keys find old rows, from one
 * endpoint or project to the next.
 */
final class DeliveryPurgeStore {
    /**
     * How far a statement got.
     *
     * @param next where the next statement continues; empty if nothing is left
     * @param isComplete whether the statement removed all old rows in its part
     */
    record Progress<C>(Optional<C> next, boolean isComplete) {}

    /** Deliveries to a deleted endpoint are removed at any age. */
    private static final String REMOVE_DELIVERIES = """
            WITH RECURSIVE walk AS (
                (SELECT project_id, webhook_id, 1 AS step
                 FROM webhook_deliveries
                 WHERE (project_id, webhook_id) > ($1, $2)
                 ORDER BY project_id, webhook_id
                 LIMIT 1)
                UNION ALL
                SELECT further.project_id, further.webhook_id, walk.step + 1
                FROM walk CROSS JOIN LATERAL (
                    SELECT project_id, webhook_id
                    FROM webhook_deliveries
                    WHERE (project_id, webhook_id) > (walk.project_id, walk.webhook_id)
                    ORDER BY project_id, webhook_id
                    LIMIT 1) AS further
                WHERE walk.step < $3),
            old AS MATERIALIZED (
                SELECT few.place
                FROM walk
                LEFT JOIN webhooks ON webhooks.project_id = walk.project_id AND webhooks.id = walk.webhook_id
                CROSS JOIN LATERAL (
                    SELECT ctid AS place
                    FROM webhook_deliveries
                    WHERE project_id = walk.project_id AND webhook_id = walk.webhook_id
                      AND event_id < CASE WHEN webhooks.id IS NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
                                          ELSE $4::uuid END
                    ORDER BY project_id, webhook_id, event_id
                    LIMIT $5
                    FOR UPDATE SKIP LOCKED) AS few
                LIMIT $5),
            removed AS (
                DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(SELECT place FROM old)) RETURNING event_id)
            SELECT project_id, webhook_id, step, (SELECT count(*) FROM removed) AS removed
            FROM walk ORDER BY step DESC LIMIT 1
            """;

    /** Removes at most {@code limit} deliveries of events before this id, of the next endpoints after the cursor. */
    Future<Progress<ClaimStore.EndpointCursor>> removeDeliveries(
            SqlClient db, ClaimStore.EndpointCursor cursor, int endpoints, UUID before, int limit) {
        return Sql.run(db, REMOVE_DELIVERIES, cursor.project(), cursor.webhook(), endpoints, before, limit)
                .map(rows -> progress(
                        rows,
                        row -> new ClaimStore.EndpointCursor(row.getUUID("project_id"), row.getUUID("webhook_id")),
                        endpoints,
                        limit));
    }

    private static final String REMOVE_EVENTS = """
            WITH RECURSIVE walk AS (
                (SELECT project_id, 1 AS step
                 FROM webhook_events WHERE project_id > $1 ORDER BY project_id LIMIT 1)
                UNION ALL
                SELECT further.project_id, walk.step + 1
                FROM walk CROSS JOIN LATERAL (
                    SELECT project_id
                    FROM webhook_events WHERE project_id > walk.project_id ORDER BY project_id LIMIT 1) AS further
                WHERE walk.step < $2),
            old AS MATERIALIZED (
                SELECT few.place
                FROM walk CROSS JOIN LATERAL (
                    SELECT ctid AS place
                    FROM webhook_events
                    WHERE project_id = walk.project_id AND id < $3
                    ORDER BY project_id, id
                    LIMIT $4
                    FOR UPDATE SKIP LOCKED) AS few
                LIMIT $4),
            removed AS (
                DELETE FROM webhook_events WHERE ctid = ANY (ARRAY(SELECT place FROM old)) RETURNING id)
            SELECT project_id, step, (SELECT count(*) FROM removed) AS removed
            FROM walk ORDER BY step DESC LIMIT 1
            """;

    /** Removes at most {@code limit} events before this id, of the next projects after this one. */
    Future<Progress<UUID>> removeEvents(SqlClient db, UUID cursor, int projects, UUID before, int limit) {
        return Sql.run(db, REMOVE_EVENTS, cursor, projects, before, limit)
                .map(rows -> progress(rows, row -> row.getUUID("project_id"), projects, limit));
    }

    private static final String REMOVE_NAMES = """
            DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '1 day'
            """;

    /** Removes the names of nodes that ended without removing them, long after their last claim expired. */
    Future<Void> removeNames(SqlClient db) {
        return Sql.run(db, REMOVE_NAMES).mapEmpty();
    }

    private static <C> Progress<C> progress(RowSet<Row> rows, Function<Row, C> position, int steps, int limit) {
        return Rows.first(
                        rows,
                        row -> new Progress<>(
                                row.getInteger("step") == steps ? Optional.of(position.apply(row)) : Optional.empty(),
                                row.getLong("removed") < limit))
                .orElseGet(() -> new Progress<>(Optional.empty(), true));
    }
}
