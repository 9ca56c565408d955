package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Claims due deliveries for this node, and gives back those that it does not attempt. */
final class ClaimStore {
    private static final int MAX_ENDPOINTS = 500; // that one statement visits

    /**
     * Uses the index to step from one endpoint with waiting deliveries to the next, so the length of a backlog does not
     * matter, and claims a limited number from each. Skips rows that another node has locked. It looks rows up by ctid
     * and through LATERAL ... LIMIT 1 instead of joins: the planner does not know the limits, and with joins the plan
     * may read the whole table, or all events of a project for each row.
     *
     * <p>A name is dead only if it is in the table and old. A missing name proves nothing: when two nodes compete for a
     * row, the later one sees the new claim of the other, but the names of its older snapshot.
     */
    private static final String CLAIM = """
            WITH RECURSIVE walk AS (
                (SELECT project_id, webhook_id, 1 AS step
                 FROM webhook_deliveries
                 WHERE next_attempt_at IS NOT NULL AND (project_id, webhook_id) > ($1, $2)
                 ORDER BY project_id, webhook_id, next_attempt_at
                 LIMIT 1)
                UNION ALL
                SELECT further.project_id, further.webhook_id, walk.step + 1
                FROM walk CROSS JOIN LATERAL (
                    SELECT project_id, webhook_id
                    FROM webhook_deliveries
                    WHERE next_attempt_at IS NOT NULL
                      AND (project_id, webhook_id) > (walk.project_id, walk.webhook_id)
                    ORDER BY project_id, webhook_id, next_attempt_at
                    LIMIT 1) AS further
                WHERE walk.step < $3),
            due AS MATERIALIZED (
                SELECT few.place
                FROM walk
                JOIN webhooks ON webhooks.project_id = walk.project_id AND webhooks.id = walk.webhook_id
                CROSS JOIN LATERAL (
                    SELECT ctid AS place
                    FROM webhook_deliveries
                    WHERE project_id = walk.project_id AND webhook_id = walk.webhook_id
                      AND next_attempt_at <= $4
                      AND (claimed_until IS NULL OR claimed_until <= $4
                           OR $10 AND claimed_by = ANY (ARRAY(
                               SELECT id FROM nodes WHERE seen_at < clock_timestamp() - interval '6 seconds')))
                    ORDER BY next_attempt_at
                    LIMIT coalesce(($6::integer[])[array_position($5::uuid[], webhooks.id)], $7::integer)
                    FOR UPDATE SKIP LOCKED) AS few
                WHERE webhooks.status = 'active'
                  AND walk.project_id <> ALL ((SELECT projects_not_here())::uuid[])
                LIMIT $8),
            claimed AS (
                UPDATE webhook_deliveries SET claimed_until = $9, claimed_by = $11
                WHERE ctid = ANY (ARRAY(SELECT place FROM due))
                RETURNING project_id, webhook_id, event_id, attempts),
            seen AS (
                INSERT INTO nodes (id, seen_at)
                SELECT $11, clock_timestamp()
                WHERE EXISTS (SELECT FROM claimed)
                  AND NOT EXISTS (
                      SELECT FROM nodes WHERE id = $11 AND seen_at > clock_timestamp() - interval '1 second')
                ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at)
            SELECT walked.project_id AS last_project, walked.webhook_id AS last_webhook, walked.step,
                   claimed.project_id, claimed.webhook_id, claimed.event_id, claimed.attempts, event.payload,
                   endpoint.url, endpoint.client_id, endpoint.sealed_secret, endpoint.sealed_previous_secret,
                   endpoint.previous_secret_expires_at, endpoint.failing_since
            FROM (SELECT project_id, webhook_id, step FROM walk ORDER BY step DESC LIMIT 1) AS walked
            LEFT JOIN (claimed
                CROSS JOIN LATERAL (
                    SELECT url, client_id, sealed_secret, sealed_previous_secret, previous_secret_expires_at, failing_since
                    FROM webhooks WHERE project_id = claimed.project_id AND id = claimed.webhook_id
                    LIMIT 1) AS endpoint
                CROSS JOIN LATERAL (
                    SELECT payload
                    FROM webhook_events WHERE project_id = claimed.project_id AND id = claimed.event_id
                    LIMIT 1) AS event) ON true
            """;

    /** How far a walk over all endpoints has come, in the order of their keys. */
    record EndpointCursor(UUID project, UUID webhook) {
        static final EndpointCursor START = new EndpointCursor(new UUID(0, 0), new UUID(0, 0));
    }

    /**
     * What one statement may claim.
     *
     * @param claims how many deliveries of all endpoints together
     * @param perEndpoint how many deliveries of an endpoint that this node holds none of
     * @param perKnownEndpoint how many deliveries of each other endpoint
     */
    record ClaimLimits(int claims, int perEndpoint, Map<UUID, Integer> perKnownEndpoint) {
        int of(Endpoint endpoint) {
            return perKnownEndpoint.getOrDefault(endpoint.id().value(), perEndpoint);
        }
    }

    /**
     * What one statement claimed.
     *
     * @param next where the next statement continues; empty if no endpoint is left
     */
    record ClaimBatch(List<Claim> claims, Optional<EndpointCursor> next) {}

    /**
     * The node name that a statement claims for, and the end of its claims.
     *
     * @param takesFromDead whether it also takes the claims of dead nodes
     */
    record Holder(UUID name, Instant end, boolean takesFromDead) {}

    /** Claims the deliveries that are due at {@code now}, of the endpoints of all projects after the cursor. */
    Future<ClaimBatch> claim(SqlClient db, EndpointCursor cursor, ClaimLimits limits, Instant now, Holder holder) {
        var known = List.copyOf(limits.perKnownEndpoint().entrySet());
        return Sql.run(
                        db,
                        CLAIM,
                        cursor.project(),
                        cursor.webhook(),
                        MAX_ENDPOINTS,
                        now,
                        known.stream().map(Map.Entry::getKey).toArray(UUID[]::new),
                        known.stream().map(Map.Entry::getValue).toArray(Integer[]::new),
                        limits.perEndpoint(),
                        limits.claims(),
                        holder.end(),
                        holder.takesFromDead(),
                        holder.name())
                .map(rows -> batch(rows, holder));
    }

    private static ClaimBatch batch(RowSet<Row> rows, Holder holder) {
        Optional<EndpointCursor> next = Optional.empty();
        var claims = new ArrayList<Claim>(rows.size());
        Map<UUID, Endpoint> endpoints = new HashMap<>(); // one object for all claims of an endpoint
        for (var row : rows) {
            if (row.getInteger("step") == MAX_ENDPOINTS) {
                next = Optional.of(new EndpointCursor(row.getUUID("last_project"), row.getUUID("last_webhook")));
            }
            @Nullable UUID webhook = row.getUUID("webhook_id");
            if (webhook != null) {
                claims.add(claim(row, endpoints.computeIfAbsent(webhook, id -> endpoint(row)), holder));
            }
        }
        return new ClaimBatch(claims, next);
    }

    private static Claim claim(Row row, Endpoint endpoint, Holder holder) {
        return new Claim(
                endpoint,
                row.getUUID("event_id"),
                row.getInteger("attempts"),
                row.getString("payload"),
                holder.name(),
                holder.end());
    }

    private static Endpoint endpoint(Row row) {
        return new Endpoint(
                new ProjectId(row.getUUID("project_id")),
                new WebhookId(row.getUUID("webhook_id")),
                row.getString("url"),
                row.getString("client_id"),
                row.getBuffer("sealed_secret"),
                row.getBuffer("sealed_previous_secret"),
                Rows.optionalInstant(row, "previous_secret_expires_at"),
                Rows.optionalInstant(row, "failing_since"));
    }

    private static final String GIVE_BACK = """
            UPDATE webhook_deliveries AS delivery SET claimed_until = NULL, claimed_by = NULL
            FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::uuid[])
                AS held (project_id, webhook_id, event_id, claimed_until, claimed_by)
            WHERE delivery.project_id = held.project_id AND delivery.webhook_id = held.webhook_id
              AND delivery.event_id = held.event_id
              AND delivery.claimed_until = held.claimed_until AND delivery.claimed_by = held.claimed_by
            """;

    /** Ends claims early, so that any node can claim the deliveries again. */
    Future<Void> giveBack(SqlClient db, List<Claim> claims) {
        return Sql.run(
                        db,
                        GIVE_BACK,
                        Rows.column(claims, claim -> claim.endpoint().project().value(), UUID[]::new),
                        Rows.column(claims, claim -> claim.endpoint().id().value(), UUID[]::new),
                        Rows.column(claims, Claim::event, UUID[]::new),
                        Rows.column(claims, claim -> Rows.timestamp(claim.end()), OffsetDateTime[]::new),
                        Rows.column(claims, Claim::holder, UUID[]::new))
                .mapEmpty();
    }
}
