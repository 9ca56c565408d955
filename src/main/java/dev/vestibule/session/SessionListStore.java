package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists of active sessions, newest first, which stay fast with millions of sessions. */
public final class SessionListStore {
    /**
     * Skips to the page by the primary key alone. Few sessions are expired and not yet removed, so those are looked up
     * first. The page's ids are an array because the planner assumes that an array is short.
     */
    private static final String OF_PROJECT = """
            SELECT id, user_id, user_agent, ip_address, last_active_at, impersonator_id
            FROM sessions
            WHERE project_id = $1 AND id = ANY (ARRAY(
                SELECT id FROM sessions
                WHERE project_id = $1 AND id NOT IN (
                    SELECT id FROM sessions
                    WHERE project_id = $1 AND sweep_at BETWEEN '-infinity' AND $2 AND expires_at <= $2)
                ORDER BY id DESC
                LIMIT $3 OFFSET $4))
            ORDER BY id DESC
            """;

    /** A session in the list of a whole project. */
    public record Item(
            SessionId id,
            UserId userId,
            @Nullable String userAgent,
            @Nullable String ipAddress,
            Instant lastActiveAt,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            UserId impersonatedBy) {}

    public Future<List<Item>> listForProject(SqlClient db, ProjectId project, Instant now, Page page) {
        return Sql.run(db, OF_PROJECT, project, now, page.limit(), page.offset())
                .map(rows -> Rows.all(rows, SessionListStore::item));
    }

    private static Item item(Row row) {
        return new Item(
                new SessionId(row.getUUID("id")),
                new UserId(row.getUUID("user_id")),
                row.getString("user_agent"),
                row.getString("ip_address"),
                Rows.instant(row, "last_active_at"),
                SessionRows.impersonator(row, ""));
    }

    /** BETWEEN, since the planner assumes that an open range matches a third of the table, and a closed one little. */
    private static final String COUNT_OF_PROJECT = """
            SELECT (SELECT coalesce(sum(sessions), 0) FROM counts WHERE project_id = $1)::bigint - (
                SELECT count(*) FROM sessions
                WHERE project_id = $1 AND sweep_at BETWEEN '-infinity' AND $2 AND expires_at <= $2) AS total
            """;

    public Future<Long> countForProject(SqlClient db, ProjectId project, Instant now) {
        return Sql.run(db, COUNT_OF_PROJECT, project, now).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String OF_USER = """
            SELECT %s FROM sessions
            WHERE project_id = $1 AND user_id = $2 AND expires_at > $3
            ORDER BY created_at DESC, id DESC
            LIMIT $4 OFFSET $5
            """.formatted(SessionRows.COLUMNS);

    public Future<List<Session>> listForUser(SqlClient db, ProjectId project, UserId user, Instant now, Page page) {
        return Sql.run(db, OF_USER, project, user, now, page.limit(), page.offset())
                .map(rows -> Rows.all(rows, SessionRows::session));
    }

    private static final String COUNT_OF_USER = """
            SELECT (SELECT count(*) FROM sessions WHERE project_id = $1 AND user_id = $2 AND expires_at > $3) AS total
            FROM users WHERE project_id = $1 AND id = $2
            """;

    /** Empty if there is no such user. */
    public Future<Optional<Long>> countForUser(SqlClient db, ProjectId project, UserId user, Instant now) {
        return Sql.run(db, COUNT_OF_USER, project, user, now)
                .map(rows -> Rows.first(rows, row -> row.getLong("total")));
    }
}
