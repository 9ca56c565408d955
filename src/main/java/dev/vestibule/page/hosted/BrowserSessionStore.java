package dev.vestibule.page.hosted;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.Live;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Which session a browser's cookie stands for; only the hash of the cookie is stored. */
final class BrowserSessionStore {
    static final OldRows EXPIRED = OldRows.by("browser_sessions", "expires_at");

    private static final String ADD = """
            INSERT INTO browser_sessions (project_id, cookie_hash, session_id, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            """;

    Future<Void> add(
            SqlClient db, ProjectId project, String cookie, SessionId session, Instant now, Instant expiresAt) {
        return Sql.run(db, ADD, project, hash(cookie), session, now, expiresAt).mapEmpty();
    }

    /** Moves the end, but not for less than an hour, since most looks would write otherwise. */
    private static final String KNOWN = """
            known AS (
                SELECT session_id, expires_at,
                       least($3::timestamptz + $4 * interval '1 second', created_at + $5 * interval '1 second') AS next
                FROM browser_sessions
                WHERE project_id = $1 AND cookie_hash = $2 AND expires_at > $3),
            moved AS (
                UPDATE browser_sessions SET expires_at = known.next
                FROM known
                WHERE project_id = $1 AND cookie_hash = $2 AND known.next > known.expires_at + interval '1 hour')""";

    private static final String USE = """
            WITH %s
            SELECT session_id FROM known
            """.formatted(KNOWN);

    /**
     * The session that the cookie stands for, which is then good for as long as for a new one; empty if it has ended.
     */
    Future<Optional<SessionId>> use(
            SqlClient db, ProjectId project, String cookie, Instant now, Duration idle, Duration longest) {
        return Sql.run(db, USE, project, hash(cookie), now, (double) idle.toSeconds(), (double) longest.toSeconds())
                .map(rows -> Rows.first(rows, row -> new SessionId(row.getUUID("session_id"))));
    }

    private static final String USE_LIVE = """
            WITH %s
            SELECT sessions.id AS session_id, %s AS is_due, %s
            FROM known
            JOIN sessions ON sessions.project_id = $1 AND sessions.id = known.session_id
            JOIN users ON users.project_id = $1 AND users.id = sessions.user_id
            WHERE sessions.expires_at > $3 AND NOT users.is_banned
            """.formatted(
            KNOWN, ActiveSessionStore.isToExtend("$3", "$3 + $4 * interval '1 second'", "$6"), ActiveSessionStore.LIVE);

    /**
     * The session of a browser.
     *
     * @param isDue whether {@link ActiveSessionStore#extend} would change it
     */
    record Known(SessionId id, Live session, boolean isDue) {}

    /** As {@link #use}, with the session and its user; empty also if one of them has ended. */
    Future<Optional<Known>> useLive(
            SqlClient db, Project project, String cookie, Instant now, Duration idle, Duration longest) {
        return Sql.run(
                        db,
                        USE_LIVE,
                        project.id(),
                        hash(cookie),
                        now,
                        (double) idle.toSeconds(),
                        (double) longest.toSeconds(),
                        (double) project.maxSessionLifetime().toSeconds())
                .map(rows -> Rows.first(
                        rows,
                        row -> new Known(
                                new SessionId(row.getUUID("session_id")),
                                ActiveSessionStore.live(row),
                                row.getBoolean("is_due"))));
    }

    private static final String DELETE = """
            DELETE FROM browser_sessions WHERE project_id = $1 AND cookie_hash = $2
            """;

    Future<Void> delete(SqlClient db, ProjectId project, String cookie) {
        return Sql.run(db, DELETE, project, hash(cookie)).mapEmpty();
    }

    private static Buffer hash(String cookie) {
        return Buffer.buffer(Sha256.of(cookie));
    }
}
