package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;

/** Answers the question of every signed-in request: does this session live, and whose is it? One statement. */
public final class LiveSessions {
    private final Database database;
    private final SessionStore store;
    private final Clock clock;

    public LiveSessions(Database database, SessionStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    /** The session's user; empty where the session is over, not this user's, or its user banned. */
    public Future<Optional<User>> find(ProjectId project, SessionId session, UserId user) {
        return store.findLive(database.reads(), project, session, user, clock.instant());
    }
}
