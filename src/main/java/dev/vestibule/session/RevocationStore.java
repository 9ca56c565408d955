package dev.vestibule.session;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ends sessions before their time. From the moment that an end is committed, neither token of the session is good. */
public final class RevocationStore {
    private static final String END = """
            DELETE FROM sessions WHERE project_id = $1 AND id = $2 AND expires_at > $3
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** The session that this ended; empty where none of this id lives. */
    public Future<Optional<Session>> end(SqlClient db, ProjectId project, SessionId session, Instant now) {
        return db.preparedQuery(END)
                .execute(Tuple.of(project.value(), session.value(), Rows.timestamp(now)))
                .map(rows -> Rows.first(rows, SessionRows::session));
    }

    private static final String HOLD_ALL = """
            SELECT FROM sessions WHERE project_id = $1 AND user_id = $2 FOR UPDATE
            """;

    /**
     * For a transaction that changes what triggers count before it ends the sessions: who ends one of them holds it
     * when it is counted, so this must hold them before too.
     */
    public Future<Void> holdAll(SqlClient transaction, ProjectId project, UserId user) {
        return transaction
                .preparedQuery(HOLD_ALL)
                .execute(Tuple.of(project.value(), user.value()))
                .mapEmpty();
    }

    private static final String END_ALL = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2 AND expires_at > $3
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /**
     * The sessions of a user that this ended. The transaction holds the user's row already, as a sign in does: so no
     * sign in opens a session unseen, and never do two that end several wait for each other in a circle.
     */
    public Future<List<Session>> endAll(SqlClient transaction, ProjectId project, UserId user, Instant now) {
        return transaction
                .preparedQuery(END_ALL)
                .execute(Tuple.of(project.value(), user.value(), Rows.timestamp(now)))
                .map(rows -> Rows.all(rows, SessionRows::session));
    }

    private static final String REMOVE_ALL = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** As {@link #endAll}, together with those past their time that nobody has removed yet. */
    public Future<List<Session>> removeAll(SqlClient transaction, ProjectId project, UserId user) {
        return transaction
                .preparedQuery(REMOVE_ALL)
                .execute(Tuple.of(project.value(), user.value()))
                .map(rows -> Rows.all(rows, SessionRows::session));
    }

    private static final String END_OTHERS = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2 AND id <> $3 AND expires_at > $4
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** The same, but for one session that is to go on. */
    public Future<List<Session>> endOthers(
            SqlClient transaction, ProjectId project, UserId user, SessionId kept, Instant now) {
        return transaction
                .preparedQuery(END_OTHERS)
                .execute(Tuple.of(project.value(), user.value(), kept.value(), Rows.timestamp(now)))
                .map(rows -> Rows.all(rows, SessionRows::session));
    }
}
