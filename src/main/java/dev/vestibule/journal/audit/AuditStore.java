package dev.vestibule.journal.audit;

import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Writes entries. */
final class AuditStore {
    /**
     * Writes only for projects that still exist: no foreign key stops rows of a project that was deleted a moment ago.
     */
    private static final String RECORD = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id,
                                   metadata, ip_address, user_agent)
            SELECT entries.project_id, entries.created_at, entries.id, actor_type, actor_id, event, target_type, target_id,
                   metadata::jsonb, ip_address, user_agent
            FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[],
                        $8::uuid[], $9::text[], $10::text[], $11::text[])
                AS entries (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id,
                            metadata, ip_address, user_agent)
            JOIN projects ON projects.id = entries.project_id AND deleted_at IS NULL
            """;

    Future<Void> record(SqlClient db, List<AuditEntry> entries) {
        return db.preparedQuery(RECORD)
                .execute(Tuple.from(new Object[] {
                    Rows.column(entries, entry -> entry.project().value(), UUID[]::new),
                    Rows.column(entries, entry -> Rows.timestamp(entry.createdAt()), OffsetDateTime[]::new),
                    Rows.column(entries, AuditEntry::id, UUID[]::new),
                    Rows.column(entries, entry -> entry.actor().type().text(), String[]::new),
                    Rows.column(entries, entry -> entry.actor().id(), UUID[]::new),
                    Rows.column(entries, entry -> entry.event().text(), String[]::new),
                    Rows.column(entries, entry -> entry.target().type(), String[]::new),
                    Rows.column(entries, entry -> entry.target().id(), UUID[]::new),
                    Rows.column(entries, AuditEntry::metadata, String[]::new),
                    Rows.column(entries, entry -> entry.actor().ipAddress(), String[]::new),
                    Rows.column(entries, entry -> entry.actor().userAgent(), String[]::new)
                }))
                .mapEmpty();
    }
}
