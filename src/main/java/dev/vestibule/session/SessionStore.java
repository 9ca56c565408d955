package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The living sessions of a project: a session that ended has no row. */
public final class SessionStore {
    private static final String OPEN_FIRST = """
            INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, country,
                                  rotated_at, created_at, last_active_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)
            """;

    /** The session of a user who has none yet: of a sign up, which does not count as a sign in. */
    public Future<Session> openFirst(
            SqlClient db, Project project, SessionId session, UserId user, Device device, Instant now) {
        return db.preparedQuery(OPEN_FIRST)
                .execute(Tuple.from(new Object[] {
                    project.id().value(),
                    session.value(),
                    user.value(),
                    device.userAgent(),
                    device.ipAddress(),
                    device.country(),
                    Rows.timestamp(now),
                    Rows.timestamp(now.plus(project.refreshTokenTtl()))
                }))
                .map(written -> opened(project, session, user, device, now));
    }

    private static Session opened(Project project, SessionId session, UserId user, Device device, Instant now) {
        return new Session(
                session,
                user,
                device.userAgent(),
                device.ipAddress(),
                device.country(),
                now,
                now,
                now.plus(project.refreshTokenTtl()));
    }

    /**
     * Compares and sets: the count and the hash must be those that the password was checked against, so a password
     * changed meanwhile opens nothing, and no other sign in of this user can have committed unseen. That makes the
     * count of living sessions, which the limit needs, exact. A lock that guesses set meanwhile holds too.
     */
    private static final String OPEN = """
            WITH signed_in AS (
                UPDATE users
                SET sign_in_count = sign_in_count + 1, last_sign_in_at = $7,
                    password_hash = coalesce($11, password_hash)
                WHERE project_id = $1 AND id = $3 AND sign_in_count = $9
                  AND password_hash IS NOT DISTINCT FROM $10 AND NOT is_banned
                  AND NOT EXISTS (
                      SELECT FROM sign_in_failures
                      WHERE project_id = $1 AND email_hash = $13 AND locked_until > $7)
                RETURNING *),
            evicted AS (
                DELETE FROM sessions
                WHERE project_id = $1 AND user_id = $3 AND EXISTS (SELECT FROM signed_in) AND id IN (
                    SELECT id FROM sessions
                    WHERE project_id = $1 AND user_id = $3 AND expires_at > $7
                    ORDER BY created_at DESC, id DESC
                    OFFSET $12)
                RETURNING *),
            opened AS (
                INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, country,
                                      rotated_at, created_at, last_active_at, expires_at)
                SELECT project_id, $2, id, $4, $5, $6, $7, $7, $7, $8 FROM signed_in),
            forgiven AS (
                DELETE FROM sign_in_failures
                WHERE project_id = $1 AND email_hash = $13 AND EXISTS (SELECT FROM signed_in))
            SELECT %s, %s FROM signed_in AS users LEFT JOIN evicted AS sessions ON true
            """.formatted(UserRows.COLUMNS, SessionRows.COLUMNS_BESIDE_OTHERS);

    /** What a sign in writes: the session, and what it found of the account when the password was checked. */
    public record SignIn(
            SessionId session,
            Account checked,
            @Nullable String rehashed,
            Buffer failuresKey,
            Device device,
            Instant now) {
        /** No row of failed sign ins has this key. */
        public static final Buffer NO_FAILURES = Buffer.buffer();

        /** Guesses lock an email for passwords only, so a sign in that checks none ignores the lock and keeps it. */
        public static SignIn withoutPassword(SessionId session, Account account, Device device, Instant now) {
            return new SignIn(session, account, null, NO_FAILURES, device, now);
        }
    }

    /** What a sign in has written: the user as it is now, the session, and those that made room for it. */
    public record SignedIn(User user, Session session, List<Session> evicted) {}

    /**
     * Counts the sign in, opens its session and ends the oldest above the project's limit; empty where the account is
     * no longer as it was when it was checked.
     */
    public Future<Optional<SignedIn>> open(SqlClient db, Project project, SignIn signIn) {
        var user = signIn.checked().user();
        var device = signIn.device();
        return db.preparedQuery(OPEN)
                .execute(Tuple.from(new Object[] {
                    project.id().value(),
                    signIn.session().value(),
                    user.id().value(),
                    device.userAgent(),
                    device.ipAddress(),
                    device.country(),
                    Rows.timestamp(signIn.now()),
                    Rows.timestamp(signIn.now().plus(project.refreshTokenTtl())),
                    user.signInCount(),
                    signIn.checked().passwordHash(),
                    signIn.rehashed(),
                    project.maxConcurrentSessions() - 1,
                    signIn.failuresKey()
                }))
                .map(rows -> Rows.first(rows, UserRows::user)
                        .map(signedIn -> new SignedIn(
                                signedIn,
                                opened(project, signIn.session(), user.id(), device, signIn.now()),
                                evicted(rows))));
    }

    /** There is one row also where none was. */
    private static List<Session> evicted(RowSet<Row> rows) {
        return Rows.all(rows, SessionRows::optionalSession).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static final String FIND_LIVE = """
            SELECT %s
            FROM sessions JOIN users ON users.project_id = sessions.project_id AND users.id = sessions.user_id
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.user_id = $3
              AND sessions.expires_at > $4 AND NOT users.is_banned
            """.formatted(UserRows.COLUMNS);

    /** The user of a session that lives; empty where the session is over or its user banned. */
    public Future<Optional<User>> findLive(
            SqlClient db, ProjectId project, SessionId session, UserId user, Instant now) {
        return db.preparedQuery(FIND_LIVE)
                .execute(Tuple.of(project.value(), session.value(), user.value(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, UserRows::user));
    }

    /** A refresh token's generation is compared and set in one step, so that of many at once exactly one replaces it. */
    private static final String REFRESH = """
            UPDATE sessions
            SET generation = sessions.generation + CASE WHEN $4 AND sessions.generation = $3 THEN 1 ELSE 0 END,
                rotated_at = CASE WHEN $4 AND sessions.generation = $3 THEN $5 ELSE sessions.rotated_at END,
                expires_at = CASE WHEN $4 AND sessions.generation = $3 THEN $6 ELSE sessions.expires_at END,
                last_active_at = CASE WHEN sessions.generation = $3 THEN $5 ELSE sessions.last_active_at END
            FROM users
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.expires_at > $5
              AND users.project_id = sessions.project_id AND users.id = sessions.user_id AND NOT users.is_banned
            RETURNING sessions.generation, sessions.rotated_at, %s
            """.formatted(UserRows.COLUMNS);

    /** A session as a refresh left it, and its user. */
    public record Refreshed(int generation, Instant rotatedAt, User user) {}

    /**
     * Presents a refresh token of the given generation. Where it is the current one and is to be replaced, the
     * generation moves on and the session's life with it. Empty where the session is over or its user banned.
     */
    public Future<Optional<Refreshed>> refresh(
            SqlClient db, Project project, SessionId session, int generation, boolean replace, Instant now) {
        return db.preparedQuery(REFRESH)
                .execute(Tuple.of(
                        project.id().value(),
                        session.value(),
                        generation,
                        replace,
                        Rows.timestamp(now),
                        Rows.timestamp(now.plus(project.refreshTokenTtl()))))
                .map(rows -> Rows.first(rows, SessionStore::refreshed));
    }

    private static Refreshed refreshed(Row row) {
        return new Refreshed(row.getInteger("generation"), Rows.instant(row, "rotated_at"), UserRows.user(row));
    }

    /** By their places in the table: a join by their ids would read all sessions, since no plan knows how few they are. */
    private static final String PURGE_EXPIRED = """
            DELETE FROM sessions WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sessions
                WHERE expires_at <= $1
                ORDER BY expires_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            RETURNING sessions.project_id, %s
            """.formatted(SessionRows.COLUMNS);

    /** A session that is no more, and whose it was. */
    public record Expired(ProjectId project, Session session) {}

    /** Removes up to so many expired sessions of all projects and tells which; nodes share the work. */
    public Future<List<Expired>> purgeExpired(SqlClient db, Instant now, int limit) {
        return db.preparedQuery(PURGE_EXPIRED)
                .execute(Tuple.of(Rows.timestamp(now), limit))
                .map(rows -> Rows.all(
                        rows, row -> new Expired(new ProjectId(row.getUUID("project_id")), SessionRows.session(row))));
    }
}
