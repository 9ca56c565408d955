package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;

/** Looks up and refreshes active sessions: the statements of every signed-in request and of every refresh. */
public final class ActiveSessionStore {
    private static final String FIND_USER = """
            SELECT %s
            FROM sessions JOIN users ON users.project_id = sessions.project_id AND users.id = sessions.user_id
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.user_id = $3
              AND sessions.expires_at > $4 AND NOT users.is_banned
            """.formatted(UserRows.COLUMNS);

    /** The user of an active session; empty where the session has ended or its user is banned. */
    public Future<Optional<User>> findUser(
            SqlClient db, ProjectId project, SessionId session, UserId user, Instant now) {
        return db.preparedQuery(FIND_USER)
                .execute(Tuple.of(project.value(), session.value(), user.value(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, UserRows::user));
    }

    /**
     * Compares and sets the generation in one step, so that of many refreshes at once exactly one replaces the token. The
     * variant that a row lacks is that of the first refresh, unless the token was replaced before, as only A does. The
     * project may have lowered its maximum since, so the end of the session can also come nearer, even before now.
     */
    private static final String REFRESH = """
            UPDATE sessions
            SET generation = sessions.generation + CASE WHEN $4 = 'A' AND sessions.generation = $3 THEN 1 ELSE 0 END,
                rotated_at = CASE WHEN $4 = 'A' AND sessions.generation = $3 THEN $5 ELSE sessions.rotated_at END,
                expires_at = least(
                    CASE WHEN $4 = 'A' AND sessions.generation = $3 THEN $6 ELSE sessions.expires_at END,
                    sessions.created_at + $7 * interval '1 second'),
                last_active_at = CASE WHEN sessions.generation = $3 THEN $5 ELSE sessions.last_active_at END,
                variant = $4
            FROM users
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.expires_at > $5
              AND coalesce(sessions.variant, CASE WHEN sessions.generation > 0 THEN 'A' ELSE $4 END) = $4
              AND users.project_id = sessions.project_id AND users.id = sessions.user_id AND NOT users.is_banned
            RETURNING sessions.generation, sessions.rotated_at, sessions.expires_at, %s
            """.formatted(UserRows.COLUMNS);

    /** A session after a refresh, and its user. */
    public record Refreshed(int generation, Instant rotatedAt, Instant expiresAt, User user) {}

    /**
     * Uses a refresh token of the given generation. If it is the current one, Variant A gives the session the next
     * generation and a new expiry, at most when the session is as old as the project allows. Empty where the session has
     * ended or is of the other variant, or its user is banned.
     */
    public Future<Optional<Refreshed>> refresh(
            SqlClient db, Project project, SessionId session, int generation, ApiVariant variant, Instant now) {
        return db.preparedQuery(REFRESH)
                .execute(Tuple.of(
                        project.id().value(),
                        session.value(),
                        generation,
                        variant.name(),
                        Rows.timestamp(now),
                        Rows.timestamp(now.plus(project.refreshTokenTtl())),
                        (double) project.maxSessionLifetime().toSeconds()))
                .map(rows -> Rows.first(rows, ActiveSessionStore::refreshed));
    }

    private static Refreshed refreshed(Row row) {
        return new Refreshed(
                row.getInteger("generation"),
                Rows.instant(row, "rotated_at"),
                Rows.instant(row, "expires_at"),
                UserRows.user(row));
    }
}
