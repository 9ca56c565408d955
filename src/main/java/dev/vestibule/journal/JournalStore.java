package dev.vestibule.journal;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Writes entries of the audit log, and events with a delivery for every subscribed endpoint. */
final class JournalStore {
    /**
     * Writes entries only for projects that still exist: no foreign key stops rows of a project that was deleted a
     * moment ago. When a session ends, the clients that have tokens of it are told too.
     */
    private static final String RECORD = """
            WITH audited AS (
                INSERT INTO audit_log (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id,
                                       metadata, ip_address, user_agent)
                SELECT entries.project_id, entries.created_at, entries.id, actor_type, actor_id, event, target_type,
                       target_id, metadata::jsonb, ip_address, user_agent
                FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[],
                            $8::uuid[], $9::text[], $10::text[], $11::text[])
                    AS entries (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id,
                                metadata, ip_address, user_agent)
                JOIN projects ON projects.id = entries.project_id AND deleted_at IS NULL AND shard IS NULL),
            recorded AS (
                SELECT * FROM unnest($12::uuid[], $13::uuid[], $14::text[], $15::text[], $16::timestamptz[],
                                     $17::uuid[], $18::text[])
                    AS recorded (project_id, id, type, payload, created_at, ended_session, told_client)),
            subscribed AS (
                SELECT recorded.project_id, recorded.id, recorded.created_at, webhooks.id AS webhook_id
                FROM recorded JOIN webhooks ON webhooks.project_id = recorded.project_id
                WHERE webhooks.status = 'active' AND webhooks.events && ARRAY[recorded.type, '*']
                UNION ALL
                SELECT recorded.project_id, recorded.id, recorded.created_at, webhooks.id
                FROM recorded
                CROSS JOIN LATERAL (
                    SELECT DISTINCT client_id FROM oauth_grants
                    WHERE session_id = recorded.ended_session AND project_id = recorded.project_id
                      AND (code_hash IS NULL OR code_used_at IS NOT NULL)
                    LIMIT 1000) AS grants
                JOIN webhooks ON webhooks.project_id = recorded.project_id AND webhooks.client_id = grants.client_id
                WHERE webhooks.status = 'active'
                UNION ALL
                SELECT recorded.project_id, recorded.id, recorded.created_at, webhooks.id
                FROM recorded
                JOIN webhooks ON webhooks.project_id = recorded.project_id AND webhooks.client_id = recorded.told_client
                WHERE webhooks.status = 'active'),
            kept AS (
                INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                SELECT project_id, id, type, payload, created_at FROM recorded
                WHERE id IN (SELECT id FROM subscribed))
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT project_id, webhook_id, id, created_at, created_at FROM subscribed
            """;

    /**
     * The entries and events may be of several projects. Returns the number of new deliveries. An event without any is
     * not stored.
     */
    Future<Integer> record(SqlClient db, List<AuditEntry> entries, List<Event> events) {
        return Sql.run(
                        db,
                        RECORD,
                        Rows.column(entries, entry -> entry.project().value(), UUID[]::new),
                        Rows.column(entries, entry -> Rows.timestamp(entry.createdAt()), OffsetDateTime[]::new),
                        Rows.column(entries, AuditEntry::id, UUID[]::new),
                        Rows.column(entries, entry -> entry.actor().type().text(), String[]::new),
                        Rows.column(entries, entry -> entry.actor().id(), UUID[]::new),
                        Rows.column(entries, entry -> entry.fact().action(), String[]::new),
                        Rows.column(entries, entry -> entry.target().type(), String[]::new),
                        Rows.column(entries, entry -> entry.target().id(), UUID[]::new),
                        Rows.column(entries, AuditEntry::metadata, String[]::new),
                        Rows.column(entries, entry -> entry.actor().ipAddress(), String[]::new),
                        Rows.column(entries, entry -> entry.actor().userAgent(), String[]::new),
                        Rows.column(events, event -> event.projectId().value(), UUID[]::new),
                        Rows.column(events, Event::id, UUID[]::new),
                        Rows.column(events, Event::type, String[]::new),
                        Rows.column(events, event -> Json.encode(event).toString(), String[]::new),
                        Rows.column(events, event -> Rows.timestamp(event.timestamp()), OffsetDateTime[]::new),
                        Rows.column(events, Event::endedSession, UUID[]::new),
                        Rows.column(events, Event::toldClient, String[]::new))
                .map(rows -> rows.rowCount());
    }
}
