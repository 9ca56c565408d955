package dev.vestibule.journal.audit;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries, newest first. Each filter that has an index has a statement of its own, so that the plan does not
 * depend on estimates; the other filters apply to the rows that this index finds.
 */
public final class AuditListStore {
    /** An entry as the API returns it. */
    record AuditLine(
            UUID id,
            UUID projectId,
            String actorType,
            @Nullable UUID actorId,
            String event,
            @Nullable String targetType,
            @Nullable UUID targetId,
            @JsonRawValue @Nullable String metadata,
            @Nullable String ipAddress,
            @Nullable String userAgent,
            Instant createdAt) {
        AuditCursor place() {
            return new AuditCursor(createdAt, id);
        }
    }

    private static final String PAGE_OF_ALL = """
            SELECT project_id, id, created_at, actor_type, actor_id, event, target_type, target_id, metadata::text AS metadata,
                   ip_address, user_agent
            FROM audit_log
            WHERE project_id = $1
              AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
            ORDER BY created_at DESC, id DESC
            LIMIT $5 OFFSET $6
            """;

    private static final String COUNT_ALL = """
            SELECT count(*) AS total FROM (
                SELECT FROM audit_log
                WHERE project_id = $1
                  AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
                LIMIT $5) AS counted
            """;

    private static final String PAGE_BY_EVENT = """
            SELECT project_id, id, created_at, actor_type, actor_id, event, target_type, target_id, metadata::text AS metadata,
                   ip_address, user_agent
            FROM audit_log
            WHERE project_id = $1 AND event = $5
              AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
            ORDER BY created_at DESC, id DESC
            LIMIT $6 OFFSET $7
            """;

    private static final String COUNT_BY_EVENT = """
            SELECT count(*) AS total FROM (
                SELECT FROM audit_log
                WHERE project_id = $1 AND event = $5
                  AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
                LIMIT $6) AS counted
            """;

    private static final String PAGE_BY_ACTOR = """
            SELECT project_id, id, created_at, actor_type, actor_id, event, target_type, target_id, metadata::text AS metadata,
                   ip_address, user_agent
            FROM audit_log
            WHERE project_id = $1 AND actor_id = $5
              AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
              AND ($6::text IS NULL OR event = $6)
            ORDER BY created_at DESC, id DESC
            LIMIT $7 OFFSET $8
            """;

    private static final String COUNT_BY_ACTOR = """
            SELECT count(*) AS total FROM (
                SELECT FROM audit_log
                WHERE project_id = $1 AND actor_id = $5
                  AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
                  AND ($6::text IS NULL OR event = $6)
                LIMIT $7) AS counted
            """;

    private static final String PAGE_BY_TARGET = """
            SELECT project_id, id, created_at, actor_type, actor_id, event, target_type, target_id, metadata::text AS metadata,
                   ip_address, user_agent
            FROM audit_log
            WHERE project_id = $1 AND target_id = $5
              AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
              AND ($6::text IS NULL OR event = $6) AND ($7::uuid IS NULL OR actor_id = $7)
            ORDER BY created_at DESC, id DESC
            LIMIT $8 OFFSET $9
            """;

    private static final String COUNT_BY_TARGET = """
            SELECT count(*) AS total FROM (
                SELECT FROM audit_log
                WHERE project_id = $1 AND target_id = $5
                  AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4
                  AND ($6::text IS NULL OR event = $6) AND ($7::uuid IS NULL OR actor_id = $7)
                LIMIT $8) AS counted
            """;

    /** The entries before the cursor, at most a page of them. */
    Future<List<AuditLine>> page(
            SqlClient db, ProjectId project, AuditFilter filter, AuditCursor before, int limit, int offset) {
        return (switch (filter.index()) {
                    case TARGET -> db.preparedQuery(PAGE_BY_TARGET);
                    case ACTOR -> db.preparedQuery(PAGE_BY_ACTOR);
                    case EVENT -> db.preparedQuery(PAGE_BY_EVENT);
                    case NONE -> db.preparedQuery(PAGE_OF_ALL);
                })
                .execute(parameters(project, filter, before).addInteger(limit).addInteger(offset))
                .map(rows -> Rows.all(rows, AuditListStore::line));
    }

    /** How many entries there are before the cursor; counts up to the limit. */
    Future<Long> count(SqlClient db, ProjectId project, AuditFilter filter, AuditCursor before, int limit) {
        return (switch (filter.index()) {
                    case TARGET -> db.preparedQuery(COUNT_BY_TARGET);
                    case ACTOR -> db.preparedQuery(COUNT_BY_ACTOR);
                    case EVENT -> db.preparedQuery(COUNT_BY_EVENT);
                    case NONE -> db.preparedQuery(COUNT_ALL);
                })
                .execute(parameters(project, filter, before).addInteger(limit))
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static Tuple parameters(ProjectId project, AuditFilter filter, AuditCursor before) {
        var parameters = Tuple.tuple()
                .addUUID(project.value())
                .addOffsetDateTime(Rows.timestamp(before.createdAt()))
                .addUUID(before.id())
                .addOffsetDateTime(Rows.timestamp(filter.from()));
        return switch (filter.index()) {
            case TARGET ->
                parameters.addUUID(filter.target()).addString(filter.event()).addUUID(filter.actor());
            case ACTOR -> parameters.addUUID(filter.actor()).addString(filter.event());
            case EVENT -> parameters.addString(filter.event());
            case NONE -> parameters;
        };
    }

    private static AuditLine line(Row row) {
        return new AuditLine(
                row.getUUID("id"),
                row.getUUID("project_id"),
                row.getString("actor_type"),
                row.getUUID("actor_id"),
                row.getString("event"),
                row.getString("target_type"),
                row.getUUID("target_id"),
                row.getString("metadata"),
                row.getString("ip_address"),
                row.getString("user_agent"),
                Rows.instant(row, "created_at"));
    }
}
