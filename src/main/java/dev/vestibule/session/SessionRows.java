package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.user.UserId;
import io.vertx.sqlclient.Row;

/** Reads the columns that every statement which answers a session selects. */
final class SessionRows {
    /** To be selected from {@code sessions}, under that name. */
    static final String COLUMNS = """
            sessions.id, sessions.user_id, sessions.user_agent, sessions.ip_address, sessions.country,
            sessions.created_at, sessions.last_active_at, sessions.expires_at""";

    private SessionRows() {}

    static Session session(Row row) {
        return new Session(
                new SessionId(row.getUUID("id")),
                new UserId(row.getUUID("user_id")),
                row.getString("user_agent"),
                row.getString("ip_address"),
                row.getString("country"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "last_active_at"),
                Rows.instant(row, "expires_at"));
    }
}
