package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.user.UserId;
import io.vertx.sqlclient.Row;
import java.util.Optional;

/** Reads the columns that every statement which answers a session selects. */
final class SessionRows {
    /** To be selected from {@code sessions}, under that name. */
    static final String COLUMNS = """
            sessions.id, sessions.user_id, sessions.user_agent, sessions.ip_address, sessions.country,
            sessions.created_at, sessions.last_active_at, sessions.expires_at""";

    /** The same, named so that the columns of another table with such names can stand beside them. */
    static final String COLUMNS_BESIDE_OTHERS = COLUMNS.replaceAll("sessions\\.(\\w+)", "$0 AS session_$1");

    private SessionRows() {}

    static Session session(Row row) {
        return session(row, "");
    }

    /** Of columns beside others; empty where an outer join found none. */
    static Optional<Session> optionalSession(Row row) {
        return row.getUUID("session_id") == null ? Optional.empty() : Optional.of(session(row, "session_"));
    }

    private static Session session(Row row, String prefix) {
        return new Session(
                new SessionId(row.getUUID(prefix + "id")),
                new UserId(row.getUUID(prefix + "user_id")),
                row.getString(prefix + "user_agent"),
                row.getString(prefix + "ip_address"),
                row.getString(prefix + "country"),
                Rows.instant(row, prefix + "created_at"),
                Rows.instant(row, prefix + "last_active_at"),
                Rows.instant(row, prefix + "expires_at"));
    }
}
