package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Shard;
import dev.vestibule.database.ShardErrors;
import dev.vestibule.database.Sql;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Journal;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Opens sessions in which a dashboard user acts as a user of a project (RFC 8693's {@code act}), and ends them when the
 * right to do so ends. They do not count as sign ins, and evict none of the user's own sessions.
 */
public final class ImpersonationStore {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Database database;
    private final Journal journal;

    /** @param database all databases, in any of which there can be such sessions */
    public ImpersonationStore(Database database, Journal journal) {
        this.database = database;
        this.journal = journal;
    }

    private static final String LOCK_OWN_SESSION = """
            SELECT FROM sessions WHERE project_id = $1 AND id = $2 AND user_id = $3 AND expires_at > $4 FOR KEY SHARE
            """;

    /**
     * Whether the dashboard user's own session still exists; it is locked until the transaction ends. A new password
     * ends that session: if it comes first, nothing is opened, and if it comes later, it finds what was opened.
     */
    public Future<Boolean> lockOwnSession(
            SqlClient transaction, UserId impersonator, SessionId ownSession, Instant now) {
        return Sql.run(transaction, LOCK_OWN_SESSION, ProjectId.SYSTEM, ownSession, impersonator, now)
                .map(rows -> rows.size() == 1);
    }

    /** The first refresh sets the variant. */
    private static final String OPEN = """
            WITH replaced AS (
                DELETE FROM sessions
                WHERE project_id = $1 AND user_id = $3 AND impersonator_id = $9 AND expires_at > $7
                RETURNING *),
            opened AS (
                INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, country, rotated_at, created_at,
                                      last_active_at, authenticated_at, expires_at, sweep_at, amr, impersonator_id, ends_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $7, $8, $8, '{}', $9, $10))
            SELECT %s FROM replaced AS sessions
            """.formatted(SessionRows.COLUMNS);

    /**
     * Opens a session of the user for the impersonator, and ends the previous one, so that each pair of them has at
     * most one. The transaction must hold the lock of the user's row.
     */
    public Future<Session> open(
            SqlConnection transaction, Project project, User user, UserId impersonator, Device device, Instant now) {
        var lifetime = Collections.min(List.of(LONGEST, project.initialSessionLifetime()));
        var session = new Session(
                SessionId.next(),
                user.id(),
                device.userAgent(),
                device.ipAddress(),
                device.country(),
                now,
                now,
                now.plus(lifetime),
                impersonator);
        return Sql.run(
                        transaction,
                        OPEN,
                        project.id(),
                        session.id(),
                        user.id(),
                        session.userAgent(),
                        session.ipAddress(),
                        session.country(),
                        now,
                        session.expiresAt(),
                        impersonator,
                        now.plus(LONGEST))
                .compose(replaced -> {
                    var changes = new ArrayList<Event.Draft>();
                    Rows.all(replaced, SessionRows::session)
                            .forEach(old -> changes.add(SessionNews.ended(project.id(), old, EndReason.EVICTED)));
                    changes.add(
                            new Event.Draft(EventKind.SESSION_CREATED, SessionNews.opened(user, session), Map.of()));
                    return journal.publish(transaction, changes);
                })
                .map(session);
    }

    /** Locks in a fixed order and before the sessions, like everything that ends several sessions of a user. */
    private static final String LOCK_USERS = """
            SELECT FROM users
            WHERE project_id = $1 AND id IN (
                SELECT user_id FROM sessions WHERE project_id = $1 AND impersonator_id = $2)
            ORDER BY id
            FOR NO KEY UPDATE
            """;

    private static final String END = """
            DELETE FROM sessions WHERE project_id = $1 AND impersonator_id = $2 AND expires_at > $3
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** Ends the sessions that the dashboard user has opened in a project, where they have lost the right to. */
    public Future<Void> end(SqlConnection transaction, ProjectId project, UserId impersonator, Instant now) {
        return Sql.run(transaction, LOCK_USERS, project, impersonator)
                .compose(locked -> Sql.run(transaction, END, project, impersonator, now))
                .compose(ended -> journal.publish(
                        transaction,
                        Rows.all(
                                ended,
                                row -> SessionNews.ended(
                                        project, SessionRows.session(row), EndReason.IMPERSONATOR_LEFT))));
    }

    private static final String PROJECTS_OF = """
            SELECT DISTINCT project_id FROM sessions
            WHERE impersonator_id = $1
              AND NOT ($2 AND EXISTS (
                  SELECT FROM projects WHERE id = sessions.project_id AND shard IS NOT NULL AND NOT arrives))
            ORDER BY project_id
            """;

    /**
     * Ends the sessions that the dashboard user has opened in any project. The transaction at home, which must have
     * ended their own session, fails if a database with a project of theirs does not answer or is not set up here:
     * nobody would end the sessions there later.
     */
    Future<Void> endEverywhere(SqlConnection atHome, UserId impersonator, Instant now) {
        return endIn(atHome, true, impersonator, now)
                .compose(ended -> shardsOf(atHome, impersonator))
                .compose(shards -> endInEach(shards, impersonator, now));
    }

    private static final String SHARDS_OF = """
            SELECT DISTINCT projects.shard
            FROM memberships JOIN projects ON projects.id = memberships.project_id
            WHERE memberships.user_id = $1 AND memberships.role = 'owner'
              AND projects.shard IS NOT NULL AND projects.deleted_at IS NULL
            ORDER BY projects.shard
            """;

    /** Only owners open such sessions, and somebody who is no longer one has lost them. */
    private Future<List<Shard>> shardsOf(SqlClient atHome, UserId impersonator) {
        return Sql.run(atHome, SHARDS_OF, impersonator)
                .map(rows -> Rows.all(rows, row -> new Shard(row.getString("shard"))));
    }

    private Future<Void> endInEach(List<Shard> shards, UserId impersonator, Instant now) {
        return shards.isEmpty()
                ? Future.succeededFuture()
                : database.at(shards.get(0))
                        .inTransaction(transaction -> endIn(transaction, false, impersonator, now))
                        .compose(ended -> endInEach(shards.subList(1, shards.size()), impersonator, now));
    }

    /** What a move has left at home is only being removed there: home knows where the project is, which is visited. */
    private Future<Void> endIn(SqlConnection transaction, boolean isHome, UserId impersonator, Instant now) {
        return Sql.run(transaction, PROJECTS_OF, impersonator, isHome)
                .map(rows -> Rows.all(rows, row -> new ProjectId(row.getUUID("project_id"))))
                .compose(projects -> requireStay(transaction, projects)
                        .compose(stay -> endIn(projects, transaction, impersonator, now)));
    }

    private static final String ANY_MOVES = """
            SELECT FROM projects WHERE id = ANY($1) AND (shard IS NOT NULL OR leaves_until > clock_timestamp()) LIMIT 1
            """;

    /** A 503 if a move has just copied one of the projects, or does so now: it has copied the sessions too. */
    private Future<Void> requireStay(SqlClient transaction, List<ProjectId> projects) {
        if (!database.isSpread() || projects.isEmpty()) {
            return Future.succeededFuture();
        }
        var ids = projects.stream().map(ProjectId::value).toArray(UUID[]::new);
        return Sql.run(transaction, ANY_MOVES, (Object) ids)
                .compose(rows ->
                        rows.size() == 0 ? Future.succeededFuture() : Future.failedFuture(ShardErrors.moving()));
    }

    private Future<Void> endIn(List<ProjectId> projects, SqlConnection transaction, UserId impersonator, Instant now) {
        return projects.isEmpty()
                ? Future.succeededFuture()
                : end(transaction, projects.get(0), impersonator, now)
                        .compose(ended -> endIn(projects.subList(1, projects.size()), transaction, impersonator, now));
    }
}
