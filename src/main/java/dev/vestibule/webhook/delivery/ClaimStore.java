package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who attempts what is due: nodes share it, and an endpoint's backlog, however long, hides no other's. */
final class ClaimStore {
    /**
     * Walks from one endpoint that has something waiting to the next by the index, never through what waits, and takes
     * a few of each. The places of rows, and one row after the other, not joins: a plan that knows no limit would read
     * the whole table for one, and one without statistics all events of a project for each.
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
                      AND next_attempt_at <= $4 AND (claimed_until IS NULL OR claimed_until <= $4)
                    ORDER BY next_attempt_at
                    LIMIT CASE WHEN webhooks.failing_since <= $5 THEN $6::integer
                               WHEN webhooks.id = ANY ($11) THEN $7::integer
                               ELSE $12::integer END
                    FOR UPDATE SKIP LOCKED) AS few
                WHERE webhooks.status = 'active' AND webhooks.id <> ALL ($8)
                LIMIT $9),
            claimed AS (
                UPDATE webhook_deliveries SET claimed_until = $10
                WHERE ctid = ANY (ARRAY(SELECT place FROM due))
                RETURNING project_id, webhook_id, event_id, attempts)
            SELECT walked.project_id AS last_project, walked.webhook_id AS last_webhook, walked.step,
                   claimed.project_id, claimed.webhook_id, claimed.event_id, claimed.attempts, event.payload,
                   endpoint.url, endpoint.sealed_secret, endpoint.sealed_previous_secret,
                   endpoint.previous_secret_expires_at, endpoint.failing_since
            FROM (SELECT project_id, webhook_id, step FROM walk ORDER BY step DESC LIMIT 1) AS walked
            LEFT JOIN (claimed
                CROSS JOIN LATERAL (
                    SELECT url, sealed_secret, sealed_previous_secret, previous_secret_expires_at, failing_since
                    FROM webhooks WHERE project_id = claimed.project_id AND id = claimed.webhook_id
                    LIMIT 1) AS endpoint
                CROSS JOIN LATERAL (
                    SELECT payload
                    FROM webhook_events WHERE project_id = claimed.project_id AND id = claimed.event_id
                    LIMIT 1) AS event) ON true
            """;

    /** An endpoint that a walk came to. */
    record Place(UUID project, UUID webhook) {
        static final Place START = new Place(new UUID(0, 0), new UUID(0, 0));
    }

    /**
     * What one statement may take.
     *
     * @param endpoints that the walk comes by
     * @param proven endpoints that have taken what they were sent: of any other, nobody knows yet whether it hangs
     * @param full endpoints that get nothing, because they hold enough
     */
    record Portion(
            int endpoints,
            Instant failingBefore,
            int ofFailing,
            int ofUnproven,
            int ofProven,
            Set<UUID> proven,
            List<UUID> full,
            int claims) {
        /** How much one endpoint gets. */
        int of(Endpoint endpoint) {
            if (endpoint.isFailingSince(failingBefore)) {
                return ofFailing;
            }
            return proven.contains(endpoint.id().value()) ? ofProven : ofUnproven;
        }
    }

    /** The last endpoint that the walk came by; empty where it came to the end. */
    record Walk(Optional<Place> last, List<Claim> claims) {}

    /** Takes what is due, of all projects, beginning behind a place. */
    Future<Walk> claim(SqlClient db, Place behind, Portion portion, Instant now, Instant end) {
        return db.preparedQuery(CLAIM)
                .execute(Tuple.from(new Object[] {
                    behind.project(),
                    behind.webhook(),
                    portion.endpoints(),
                    Rows.timestamp(now),
                    Rows.timestamp(portion.failingBefore()),
                    portion.ofFailing(),
                    portion.ofProven(),
                    portion.full().toArray(UUID[]::new),
                    portion.claims(),
                    Rows.timestamp(end),
                    portion.proven().toArray(UUID[]::new),
                    portion.ofUnproven()
                }))
                .map(rows -> walk(rows, portion, end));
    }

    private static Walk walk(RowSet<Row> rows, Portion portion, Instant end) {
        Optional<Place> last = Optional.empty();
        var claims = new ArrayList<Claim>(rows.size());
        Map<UUID, Endpoint> endpoints = new HashMap<>(); // each as one object, however many claims
        for (var row : rows) {
            if (row.getInteger("step") == portion.endpoints()) {
                last = Optional.of(new Place(row.getUUID("last_project"), row.getUUID("last_webhook")));
            }
            @Nullable UUID webhook = row.getUUID("webhook_id");
            if (webhook != null) {
                claims.add(claim(row, endpoints.computeIfAbsent(webhook, missing -> endpoint(row)), end));
            }
        }
        return new Walk(last, claims);
    }

    private static Claim claim(Row row, Endpoint endpoint, Instant end) {
        return new Claim(endpoint, row.getUUID("event_id"), row.getInteger("attempts"), row.getString("payload"), end);
    }

    private static Endpoint endpoint(Row row) {
        return new Endpoint(
                new ProjectId(row.getUUID("project_id")),
                new WebhookId(row.getUUID("webhook_id")),
                row.getString("url"),
                row.getBuffer("sealed_secret"),
                row.getBuffer("sealed_previous_secret"),
                Rows.optionalInstant(row, "previous_secret_expires_at"),
                Rows.optionalInstant(row, "failing_since"));
    }

    private static final String GIVE_BACK = """
            UPDATE webhook_deliveries AS delivery SET claimed_until = NULL
            FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
                AS held (project_id, webhook_id, event_id, claimed_until)
            WHERE delivery.project_id = held.project_id AND delivery.webhook_id = held.webhook_id
              AND delivery.event_id = held.event_id AND delivery.claimed_until = held.claimed_until
            """;

    /** Lets others attempt what was claimed and not attempted. */
    Future<Void> giveBack(SqlClient db, List<Claim> claims) {
        return db.preparedQuery(GIVE_BACK)
                .execute(Tuple.of(
                        Rows.column(claims, claim -> claim.endpoint().project().value(), UUID[]::new),
                        Rows.column(claims, claim -> claim.endpoint().id().value(), UUID[]::new),
                        Rows.column(claims, Claim::event, UUID[]::new),
                        Rows.column(claims, claim -> Rows.timestamp(claim.end()), OffsetDateTime[]::new)))
                .mapEmpty();
    }
}
