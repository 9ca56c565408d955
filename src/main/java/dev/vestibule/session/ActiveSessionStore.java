package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionPerson.SessionOrganization;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks up and refreshes active sessions: the statements of every signed-in request and of every refresh. */
public final class ActiveSessionStore {
    /** A session, and the user that it must belong to, with the role that they must have in an organization. */
    record Check(
            ProjectId project,
            SessionId session,
            UserId user,
            @Nullable UUID organization,
            @Nullable String role) implements SharedStatement.Question {
        Check(ProjectId project, SessionId session, UserId user) {
            this(project, session, user, null, null);
        }

        @Override
        public SessionId row() {
            return session;
        }
    }

    /** The use of a refresh token, with the project's current lifetimes. */
    record Refresh(
            ProjectId project,
            SessionId session,
            int generation,
            ApiVariant variant,
            Duration refreshTokenTtl,
            Duration maxSessionLifetime)
            implements SharedStatement.Question {
        @Override
        public SessionId row() {
            return session;
        }
    }

    private final UserStore users = new UserStore();

    /** LATERAL and LIMIT keep the plan to one look-up in each index for each session, however few rows there are. */
    private static final String FIND_USERS = """
            SELECT asked.position, %s
            FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
                WITH ORDINALITY AS asked (project_id, session_id, user_id, position)
            CROSS JOIN LATERAL (
                SELECT FROM sessions
                WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id
                  AND sessions.user_id = asked.user_id AND sessions.expires_at > $4
                LIMIT 1) AS active
            CROSS JOIN LATERAL (
                SELECT * FROM users
                WHERE users.project_id = asked.project_id AND users.id = asked.user_id AND NOT users.is_banned
                LIMIT 1) AS users
            """.formatted(UserRows.COLUMNS);

    /** Also requires the membership, of tokens that are for an organization. */
    private static final String FIND_MEMBERS = """
            SELECT asked.position, %s
            FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $5::uuid[], $6::text[])
                WITH ORDINALITY AS asked (project_id, session_id, user_id, organization_id, role, position)
            CROSS JOIN LATERAL (
                SELECT FROM sessions
                WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id
                  AND sessions.user_id = asked.user_id AND sessions.expires_at > $4
                LIMIT 1) AS active
            CROSS JOIN LATERAL (
                SELECT * FROM users
                WHERE users.project_id = asked.project_id AND users.id = asked.user_id AND NOT users.is_banned
                LIMIT 1) AS users
            LEFT JOIN LATERAL (
                SELECT role FROM organization_members
                WHERE organization_members.project_id = asked.project_id
                  AND organization_members.organization_id = asked.organization_id
                  AND organization_members.user_id = asked.user_id
                LIMIT 1) AS membership ON true
            WHERE asked.organization_id IS NULL OR membership.role = asked.role
            """.formatted(UserRows.COLUMNS);

    /**
     * The users of active sessions, in the order of the checks; empty if the session has ended, its user is banned, or
     * no longer has the role. Checks without an organization pay nothing for those with one, unless they are together.
     */
    Future<List<Optional<User>>> findUsers(SqlClient db, List<Check> checks, Instant now) {
        return checks.stream().allMatch(check -> check.organization() == null)
                ? findUsersOfSessions(db, checks, now)
                : findMembers(db, checks, now);
    }

    private static Future<List<Optional<User>>> findMembers(SqlClient db, List<Check> checks, Instant now) {
        return Sql.run(
                        db,
                        FIND_MEMBERS,
                        Rows.column(checks, check -> check.project().value(), UUID[]::new),
                        Rows.column(checks, check -> check.session().value(), UUID[]::new),
                        Rows.column(checks, check -> check.user().value(), UUID[]::new),
                        now,
                        Rows.column(checks, Check::organization, UUID[]::new),
                        Rows.column(checks, Check::role, String[]::new))
                .map(rows -> Rows.inOrder(rows, checks.size(), UserRows::user));
    }

    private static Future<List<Optional<User>>> findUsersOfSessions(SqlClient db, List<Check> checks, Instant now) {
        return Sql.run(
                        db,
                        FIND_USERS,
                        Rows.column(checks, check -> check.project().value(), UUID[]::new),
                        Rows.column(checks, check -> check.session().value(), UUID[]::new),
                        Rows.column(checks, check -> check.user().value(), UUID[]::new),
                        now)
                .map(rows -> Rows.inOrder(rows, checks.size(), UserRows::user));
    }

    /** The user of one session. */
    public Future<Optional<User>> findUser(
            SqlClient db, ProjectId project, SessionId session, UserId user, Instant now) {
        return findUsers(db, List.of(new Check(project, session, user)), now).map(found -> found.get(0));
    }

    /**
     * The account of a session, its row locked until the transaction ends; a 401 if the session has ended, or the
     * account is gone. The person who ended it while the request waited, for example with a new password, wanted to
     * prevent what the request would do.
     */
    public Future<Account> lockAccount(
            SqlConnection transaction, ProjectId project, SessionId session, UserId user, Instant now) {
        return users.lock(transaction, project, user)
                .map(found -> found.orElseThrow(UserErrors::deleted))
                .compose(account -> findUser(transaction, project, session, user, now)
                        .map(active -> active.orElseThrow(SessionErrors::ended))
                        .map(active -> account));
    }

    /** Costs nothing for a session without an organization. */
    private static final String ORGANIZATION = """
            CASE WHEN sessions.organization_id IS NOT NULL THEN (
                SELECT ARRAY[organizations.id::text, organizations.slug, organization_members.role,
                             organization_members.token_id::text]
                FROM organization_members
                JOIN organizations ON organizations.project_id = organization_members.project_id
                 AND organizations.id = organization_members.organization_id
                WHERE organization_members.project_id = sessions.project_id
                  AND organization_members.organization_id = sessions.organization_id
                  AND organization_members.user_id = sessions.user_id) END AS organization""";

    /** The session's user, when and how they signed in, and the organization that the tokens are for. */
    private static final String PERSON = SessionRows.AUTHENTICATION + ", " + UserRows.COLUMNS + ", " + ORGANIZATION;

    private static SessionPerson person(Row row) {
        var organization = row.getArrayOfStrings("organization");
        return new SessionPerson(
                SessionRows.authentication(row),
                UserRows.user(row),
                organization == null
                        ? null
                        : new SessionOrganization(
                                UUID.fromString(organization[0]),
                                organization[1],
                                organization[2],
                                UUID.fromString(organization[3])));
    }

    private static final String FIND_OPENED = """
            SELECT sessions.expires_at, %s
            FROM sessions
            JOIN users ON users.project_id = sessions.project_id AND users.id = sessions.user_id
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.user_id = $3 AND sessions.expires_at > $4
              AND NOT users.is_banned
            """.formatted(PERSON);

    /** The user of an active session, and how the person signed in. */
    public record Opened(SessionPerson person, Instant expiresAt) {}

    /** Like {@link #findUser}, for a session whose first tokens have not been issued yet. */
    public Future<Optional<Opened>> findOpened(
            SqlClient db, ProjectId project, SessionId session, UserId user, Instant now) {
        return Sql.run(db, FIND_OPENED, project, session, user, now)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Opened(
                                new SessionPerson(SessionRows.authentication(row), UserRows.user(row)),
                                Rows.instant(row, "expires_at"))));
    }

    private static final String FIND_TO_RENEW = """
            SELECT sessions.generation, sessions.rotated_at, sessions.expires_at, sessions.variant, %s
            FROM sessions JOIN users ON users.project_id = sessions.project_id AND users.id = sessions.user_id
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.user_id = $3 AND sessions.expires_at > $4
              AND NOT users.is_banned
            """.formatted(PERSON);

    /** A session whose user has just reauthenticated; the session itself does not change. */
    public record RenewableSession(ApiVariant variant, RefreshedSession session) {}

    /** Empty if it has ended. */
    public Future<Optional<RenewableSession>> findToRenew(
            SqlClient transaction, User user, SessionId session, Instant now) {
        return Sql.run(transaction, FIND_TO_RENEW, user.projectId(), session, user.id(), now)
                .map(rows -> Rows.first(rows, row -> new RenewableSession(variant(row), refreshed(row))));
    }

    /** A session without a variant is an impersonator's, and has the lifetime of Variant A's access tokens. */
    private static ApiVariant variant(Row row) {
        var name = row.getString("variant");
        return name == null ? ApiVariant.A : ApiVariant.valueOf(name);
    }

    /** The columns of {@link Live}, of a statement that joins {@code sessions} with {@code users}. */
    public static final String LIVE = "sessions.variant, sessions.expires_at, " + PERSON;

    private static final String FIND_LIVE = """
            SELECT %s
            FROM sessions JOIN users ON users.project_id = sessions.project_id AND users.id = sessions.user_id
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.expires_at > $3 AND NOT users.is_banned
            """.formatted(LIVE);

    /** A session that has not ended, and its user, who is not banned. */
    public record Live(ApiVariant variant, Instant expiresAt, SessionPerson person) {
        public User user() {
            return person.user();
        }

        public Authentication authentication() {
            return person.authentication();
        }
    }

    /** Empty if there is no such session. */
    public Future<Optional<Live>> findLive(SqlClient db, ProjectId project, SessionId session, Instant now) {
        return Sql.run(db, FIND_LIVE, project, session, now).map(rows -> Rows.first(rows, ActiveSessionStore::live));
    }

    /** Reads the columns {@link #LIVE}. */
    public static Live live(Row row) {
        return new Live(variant(row), Rows.instant(row, "expires_at"), person(row));
    }

    private static final String SET_ORGANIZATION = """
            UPDATE sessions SET organization_id = $5
            FROM users
            WHERE sessions.project_id = $1 AND sessions.id = $2 AND sessions.user_id = $3 AND sessions.expires_at > $4
              AND users.project_id = $1 AND users.id = $3 AND NOT users.is_banned
              AND ($5::uuid IS NULL OR EXISTS (
                  SELECT FROM organization_members
                  WHERE organization_members.project_id = $1 AND organization_members.organization_id = $5
                    AND organization_members.user_id = $3))
            RETURNING sessions.variant, sessions.expires_at, %s
            """.formatted(PERSON);

    /**
     * From now on the session's tokens are for this organization, or for none. Empty if the user is not a member of it,
     * or the session has ended.
     */
    public Future<Optional<Live>> setOrganization(
            SqlClient db, ProjectId project, SessionId session, UserId user, @Nullable UUID organization, Instant now) {
        return Sql.run(db, SET_ORGANIZATION, project, session, user, now, organization)
                .map(rows -> Rows.first(rows, ActiveSessionStore::live));
    }

    private static final String IS_TO_EXTEND = """
            (sessions.last_active_at < %1$s - interval '1 minute'
             OR sessions.expires_at
                < least(%2$s, sessions.created_at + %3$s * interval '1 second', sessions.ends_at) - interval '1 hour')""";

    /**
     * Whether {@link #extend} would change a session now. The arguments are SQL: times, and the seconds that it may
     * last.
     */
    public static String isToExtend(String now, String until, String longest) {
        return IS_TO_EXTEND.formatted(now, until, longest);
    }

    private static final String EXTEND = """
            UPDATE sessions
            SET last_active_at = $3,
                expires_at = greatest(expires_at, least($4, created_at + $5 * interval '1 second', ends_at))
            WHERE project_id = $1 AND id = $2 AND expires_at > $3 AND %s
            """.formatted(isToExtend("$3", "$4", "$5"));

    /**
     * The session's user is back in the same browser, so it lives at least until then, give or take an hour, if the
     * project allows it.
     */
    public Future<Void> extend(SqlClient db, Project project, SessionId session, Instant now, Instant until) {
        return Sql.run(db, EXTEND, project.id(), session, now, until, (double)
                        project.maxSessionLifetime().toSeconds())
                .mapEmpty();
    }

    /**
     * Compares and sets the generation in one step, so that exactly one of many concurrent refreshes replaces the
     * token. The indexed sweep_at changes only if a project has lowered a lifetime so far that the session now ends
     * before it. Few sessions have an ends_at, which is never before their sweep_at.
     */
    private static final String CHANGE = """
            generation = sessions.generation
                + CASE WHEN asked.variant = 'A' AND sessions.generation = asked.generation THEN 1 ELSE 0 END,
            rotated_at = CASE WHEN asked.variant = 'A' AND sessions.generation = asked.generation
                THEN $1 ELSE sessions.rotated_at END,
            expires_at = least(
                CASE WHEN asked.variant = 'A' AND sessions.generation = asked.generation
                    THEN asked.expires_at ELSE sessions.expires_at END,
                sessions.created_at + asked.max_seconds * interval '1 second',
                sessions.ends_at),
            sweep_at = least(
                sessions.sweep_at,
                CASE WHEN asked.variant = 'A' AND sessions.generation = asked.generation THEN asked.expires_at END,
                sessions.created_at + asked.max_seconds * interval '1 second'),
            last_active_at = CASE WHEN sessions.generation = asked.generation THEN $1 ELSE sessions.last_active_at END,
            variant = asked.variant""";

    /**
     * If a row has no variant, the first refresh sets it. The project may have lowered its maximum since, so the end of
     * the session can also move closer, even into the past.
     */
    private static final String IS_ACTIVE = """
            sessions.expires_at > $1
            AND coalesce(sessions.variant, asked.variant) = asked.variant""";

    private static final String REFRESH = """
            UPDATE sessions SET %s
            FROM (SELECT $2::uuid AS project_id, $3::uuid AS session_id, $4::integer AS generation, $5::text AS variant,
                         $6::timestamptz AS expires_at, $7::float8 AS max_seconds) AS asked,
                 users
            WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id AND %s
              AND users.project_id = sessions.project_id AND users.id = sessions.user_id AND NOT users.is_banned
            RETURNING sessions.generation, sessions.rotated_at, sessions.expires_at, %s
            """.formatted(CHANGE, IS_ACTIVE, PERSON);

    /** A session after a refresh, and its user. */
    public record RefreshedSession(int generation, Instant rotatedAt, Instant expiresAt, SessionPerson person) {
        public User user() {
            return person.user();
        }

        public Authentication authentication() {
            return person.authentication();
        }
    }

    /**
     * Uses a refresh token of the given generation. If it is the current one, Variant A gives the session the next
     * generation and a new expiry, at most when the session is as old as the project allows. Empty if the session has
     * ended or is of the other variant, or its user is banned.
     */
    Future<Optional<RefreshedSession>> refresh(SqlClient db, Refresh refresh, Instant now) {
        return Sql.run(
                        db,
                        REFRESH,
                        now,
                        refresh.project(),
                        refresh.session(),
                        refresh.generation(),
                        refresh.variant().name(),
                        now.plus(refresh.refreshTokenTtl()),
                        seconds(refresh))
                .map(rows -> Rows.first(rows, ActiveSessionStore::refreshed));
    }

    /**
     * Two statements that lock several rows could deadlock, and one locked row would delay all others, so this takes
     * only rows that are not locked. Their ctid then saves a second look at the index. The user comes with the ctid:
     * when it was compared with that of the updated row instead, PostgreSQL joined each refresh with each user of the
     * project as long as it had no statistics, as in the first minute of a new server.
     */
    private static final String REFRESH_FREE = """
            WITH asked AS (
                SELECT asked.*, free.place, free.user_id
                FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::timestamptz[], $7::float8[])
                    WITH ORDINALITY AS asked (
                        project_id, session_id, generation, variant, expires_at, max_seconds, position)
                CROSS JOIN LATERAL (
                    SELECT ctid AS place, user_id FROM sessions
                    WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id AND %s
                    LIMIT 1
                    FOR NO KEY UPDATE SKIP LOCKED) AS free)
            UPDATE sessions SET %s
            FROM asked, users
            WHERE sessions.ctid = asked.place
              AND users.project_id = asked.project_id AND users.id = asked.user_id AND NOT users.is_banned
            RETURNING asked.position, sessions.generation, sessions.rotated_at, sessions.expires_at, %s
            """.formatted(IS_ACTIVE, CHANGE, PERSON);

    /**
     * Refreshes several distinct sessions; the results are in the order of the refreshes. A result is also empty if
     * another transaction is changing the session: then refresh it on its own.
     */
    Future<List<Optional<RefreshedSession>>> refreshFree(SqlClient db, List<Refresh> refreshes, Instant now) {
        return Sql.run(
                        db,
                        REFRESH_FREE,
                        now,
                        Rows.column(refreshes, refresh -> refresh.project().value(), UUID[]::new),
                        Rows.column(refreshes, refresh -> refresh.session().value(), UUID[]::new),
                        Rows.column(refreshes, Refresh::generation, Integer[]::new),
                        Rows.column(refreshes, refresh -> refresh.variant().name(), String[]::new),
                        Rows.column(
                                refreshes,
                                refresh -> Rows.timestamp(now.plus(refresh.refreshTokenTtl())),
                                OffsetDateTime[]::new),
                        Rows.column(refreshes, ActiveSessionStore::seconds, Double[]::new))
                .map(rows -> Rows.inOrder(rows, refreshes.size(), ActiveSessionStore::refreshed));
    }

    private static final String FIND_ACTIVE = """
            SELECT asked.position
            FROM unnest($2::uuid[], $3::uuid[], $4::text[])
                WITH ORDINALITY AS asked (project_id, session_id, variant, position)
            CROSS JOIN LATERAL (
                SELECT FROM sessions
                WHERE sessions.project_id = asked.project_id AND sessions.id = asked.session_id AND %s
                LIMIT 1) AS active
            """.formatted(IS_ACTIVE);

    /**
     * The refreshes whose session is active and of the same variant, whether or not another transaction is changing it.
     */
    Future<Set<Refresh>> findActive(SqlClient db, List<Refresh> refreshes, Instant now) {
        return Sql.run(
                        db,
                        FIND_ACTIVE,
                        now,
                        Rows.column(refreshes, refresh -> refresh.project().value(), UUID[]::new),
                        Rows.column(refreshes, refresh -> refresh.session().value(), UUID[]::new),
                        Rows.column(refreshes, refresh -> refresh.variant().name(), String[]::new))
                .map(rows -> Set.copyOf(Rows.all(rows, row -> refreshes.get(row.getInteger("position") - 1))));
    }

    private static double seconds(Refresh refresh) {
        return refresh.maxSessionLifetime().toSeconds();
    }

    private static RefreshedSession refreshed(Row row) {
        return new RefreshedSession(
                row.getInteger("generation"),
                Rows.instant(row, "rotated_at"),
                Rows.instant(row, "expires_at"),
                person(row));
    }
}
