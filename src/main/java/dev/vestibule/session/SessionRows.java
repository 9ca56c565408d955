package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.user.UserId;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The columns of a session, and the mapping of a row to {@link Session}. */
final class SessionRows {
    /** For a statement that selects from {@code sessions}. */
    static final String COLUMNS = """
            sessions.id, sessions.user_id, sessions.user_agent, sessions.ip_address, sessions.country,
            sessions.created_at, sessions.last_active_at, sessions.expires_at, sessions.impersonator_id""";

    /** With a prefix, for a statement that also selects columns of {@code users}. */
    static final String PREFIXED_COLUMNS = COLUMNS.replaceAll("sessions\\.(\\w+)", "$0 AS session_$1");

    /** When and how the session's user last authenticated, and who else acts as them. */
    static final String AUTHENTICATION = """
            sessions.authenticated_at, sessions.amr, sessions.impersonator_id""";

    private SessionRows() {}

    static Authentication authentication(Row row) {
        return new Authentication(
                Rows.instant(row, "authenticated_at"), List.of(row.getArrayOfStrings("amr")), impersonator(row, ""));
    }

    static Session session(Row row) {
        return session(row, "");
    }

    /** Reads the prefixed columns; empty if an outer join found no session. */
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
                Rows.instant(row, prefix + "expires_at"),
                impersonator(row, prefix));
    }

    static @Nullable UserId impersonator(Row row, String prefix) {
        var id = row.getUUID(prefix + "impersonator_id");
        return id == null ? null : new UserId(id);
    }
}
