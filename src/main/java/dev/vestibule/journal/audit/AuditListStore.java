package dev.vestibule.journal.audit;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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

    private static final String COLUMNS =
            "project_id, id, created_at, actor_type, actor_id, event, target_type, target_id,"
                    + " metadata::text AS metadata, ip_address, user_agent";

    private static final String ENTRIES = """
            FROM audit_log
            WHERE project_id = $1
              AND (created_at, id) < ($2, $3) AND created_at <= $2 AND created_at >= $4 %s
            """;

    private static final String BY_EVENT = "AND event = $7";
    private static final String BY_ACTOR = "AND actor_id = $7 AND ($8::text IS NULL OR event = $8)";
    private static final String BY_TARGET =
            "AND target_id = $7 AND ($8::text IS NULL OR event = $8) AND ($9::uuid IS NULL OR actor_id = $9)";

    private static final String PAGE_OF_ALL = page("");
    private static final String PAGE_BY_EVENT = page(BY_EVENT);
    private static final String PAGE_BY_ACTOR = page(BY_ACTOR);
    private static final String PAGE_BY_TARGET = page(BY_TARGET);

    private static String page(String filter) {
        return "SELECT " + COLUMNS + "\n" + ENTRIES.formatted(filter)
                + "ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6";
    }

    /** The entries before the cursor, at most a page of them. */
    Future<List<AuditLine>> page(
            SqlClient db, ProjectId project, AuditFilter filter, AuditCursor before, int limit, int offset) {
        var values = values(project, filter, before, limit, offset);
        return (switch (filter.index()) {
                    case TARGET -> Sql.run(db, PAGE_BY_TARGET, values);
                    case ACTOR -> Sql.run(db, PAGE_BY_ACTOR, values);
                    case EVENT -> Sql.run(db, PAGE_BY_EVENT, values);
                    case NONE -> Sql.run(db, PAGE_OF_ALL, values);
                })
                .map(rows -> Rows.all(rows, AuditListStore::line));
    }

    private static final String COUNT_ALL = count("");
    private static final String COUNT_BY_EVENT = count(BY_EVENT);
    private static final String COUNT_BY_ACTOR = count(BY_ACTOR);
    private static final String COUNT_BY_TARGET = count(BY_TARGET);

    private static String count(String filter) {
        return "SELECT count(*) AS total FROM (SELECT " + ENTRIES.formatted(filter) + "LIMIT $5 OFFSET $6) AS counted";
    }

    /** How many entries there are before the cursor; counts up to the limit. */
    Future<Long> count(SqlClient db, ProjectId project, AuditFilter filter, AuditCursor before, int limit) {
        var values = values(project, filter, before, limit, 0);
        return (switch (filter.index()) {
                    case TARGET -> Sql.run(db, COUNT_BY_TARGET, values);
                    case ACTOR -> Sql.run(db, COUNT_BY_ACTOR, values);
                    case EVENT -> Sql.run(db, COUNT_BY_EVENT, values);
                    case NONE -> Sql.run(db, COUNT_ALL, values);
                })
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static @Nullable Object[] values(
            ProjectId project, AuditFilter filter, AuditCursor before, int limit, int offset) {
        var values = new ArrayList<@Nullable Object>(
                List.of(project, before.createdAt(), before.id(), filter.from(), limit, offset));
        switch (filter.index()) {
            case TARGET -> Collections.addAll(values, filter.target(), filter.event(), filter.actor());
            case ACTOR -> Collections.addAll(values, filter.actor(), filter.event());
            case EVENT -> values.add(filter.event());
            case NONE -> {}
        }
        return values.toArray();
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
