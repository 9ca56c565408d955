package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the results of many attempts at once, and the health of their endpoints. */
final class ResultStore {
    /**
     * A failure is written only while the claim still holds, because another node may be attempting the delivery by
     * now. CASE hides the status from the planner, which would otherwise use it and read all waiting deliveries. The
     * counts are written in the order of their keys, so that two statements cannot deadlock.
     */
    private static final String RECORD = """
            WITH recorded AS (
                UPDATE webhook_deliveries AS delivery
                SET status = done.status, attempts = done.attempts, next_attempt_at = done.next_attempt_at,
                    claimed_until = NULL, claimed_by = NULL, attempted_at = done.attempted_at, response_status = done.response_status,
                    response_body = done.response_body, duration_millis = done.duration_millis, error = done.error
                FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::integer[],
                            $7::timestamptz[], $8::timestamptz[], $9::integer[], $10::text[], $11::integer[],
                            $12::text[], $13::uuid[])
                    AS done (project_id, webhook_id, event_id, claimed_until, status, attempts, next_attempt_at,
                             attempted_at, response_status, response_body, duration_millis, error, claimed_by)
                WHERE delivery.project_id = done.project_id AND delivery.webhook_id = done.webhook_id
                  AND delivery.event_id = done.event_id
                  AND CASE delivery.status WHEN 'waiting'
                      THEN done.status = 'delivered'
                           OR delivery.claimed_until = done.claimed_until AND delivery.claimed_by = done.claimed_by
                      ELSE false END
                RETURNING delivery.project_id, delivery.webhook_id, delivery.status)
            INSERT INTO webhook_delivery_counts AS kept (project_id, webhook_id, delivered, dead)
            SELECT project_id, webhook_id,
                   count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'dead')
            FROM recorded
            WHERE status <> 'waiting'
            GROUP BY project_id, webhook_id
            ORDER BY project_id, webhook_id
            ON CONFLICT (project_id, webhook_id) DO UPDATE
            SET delivered = kept.delivered + excluded.delivered, dead = kept.dead + excluded.dead
            """;

    /** An attempt, and the time of the next one: none if it was delivered or was the last. */
    record Result(Attempt attempt, @Nullable Instant next) {
        private String status() {
            return attempt.isDelivered() ? "delivered" : next == null ? "dead" : "waiting";
        }
    }

    Future<Void> record(SqlClient db, List<Result> results) {
        return Sql.run(
                        db,
                        RECORD,
                        Rows.column(
                                results,
                                result -> claim(result).endpoint().project().value(),
                                UUID[]::new),
                        Rows.column(
                                results, result -> claim(result).endpoint().id().value(), UUID[]::new),
                        Rows.column(results, result -> claim(result).event(), UUID[]::new),
                        Rows.column(
                                results, result -> Rows.timestamp(claim(result).end()), OffsetDateTime[]::new),
                        Rows.column(results, Result::status, String[]::new),
                        Rows.column(results, result -> claim(result).attempts() + 1, Integer[]::new),
                        Rows.column(results, result -> timestamp(result.next()), OffsetDateTime[]::new),
                        Rows.column(
                                results, result -> timestamp(result.attempt().startedAt()), OffsetDateTime[]::new),
                        Rows.column(results, result -> result.attempt().status(), Integer[]::new),
                        Rows.column(results, result -> result.attempt().body(), String[]::new),
                        Rows.column(
                                results,
                                result -> (int) result.attempt().duration().toMillis(),
                                Integer[]::new),
                        Rows.column(results, result -> result.attempt().error(), String[]::new),
                        Rows.column(results, result -> claim(result).holder(), UUID[]::new))
                .mapEmpty();
    }

    private static Claim claim(Result result) {
        return result.attempt().claim();
    }

    private static final String UPDATE_HEALTH = """
            UPDATE webhooks
            SET failing_since = CASE WHEN seen.has_succeeded THEN seen.failed_at
                                     ELSE coalesce(webhooks.failing_since, seen.failed_at) END,
                status = CASE WHEN seen.is_gone THEN 'disabled'
                              WHEN NOT seen.has_succeeded AND webhooks.failing_since <= $7 THEN 'disabled'
                              ELSE webhooks.status END,
                updated_at = CASE WHEN seen.is_gone THEN $8
                                  WHEN NOT seen.has_succeeded AND webhooks.failing_since <= $7 THEN $8
                                  ELSE webhooks.updated_at END
            FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::timestamptz[], $6::boolean[])
                AS seen (project_id, webhook_id, url, has_succeeded, failed_at, is_gone)
            WHERE webhooks.project_id = seen.project_id AND webhooks.id = seen.webhook_id
              AND webhooks.url = seen.url AND webhooks.status = 'active'
            RETURNING webhooks.id, webhooks.status
            """;

    /**
     * What the attempts of a batch say about an endpoint.
     *
     * @param failedAt the first failure after the last success, if there was one
     */
    record EndpointHealth(
            Endpoint endpoint,
            boolean hasSucceeded,
            @Nullable Instant failedAt,
            boolean isGone) {}

    /**
     * Writes the health of endpoints, disables those that are gone or have only failed since {@code failingTooLong},
     * and returns which were disabled. The list must be in the order of keys, so that two statements cannot deadlock.
     */
    Future<Set<WebhookId>> updateHealth(
            SqlClient db, List<EndpointHealth> healths, Instant failingTooLong, Instant now) {
        return Sql.run(
                        db,
                        UPDATE_HEALTH,
                        Rows.column(
                                healths, health -> health.endpoint().project().value(), UUID[]::new),
                        Rows.column(healths, health -> health.endpoint().id().value(), UUID[]::new),
                        Rows.column(healths, health -> health.endpoint().url(), String[]::new),
                        Rows.column(healths, EndpointHealth::hasSucceeded, Boolean[]::new),
                        Rows.column(healths, health -> timestamp(health.failedAt()), OffsetDateTime[]::new),
                        Rows.column(healths, EndpointHealth::isGone, Boolean[]::new),
                        failingTooLong,
                        now)
                .map(rows -> Rows.all(rows, row -> row).stream()
                        .filter(row -> "disabled".equals(row.getString("status")))
                        .map(row -> new WebhookId(row.getUUID("id")))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
        return instant == null ? null : Rows.timestamp(instant);
    }
}
