package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.user.UserStore;
import java.time.Clock;

/** The operations on sessions, for one event loop. */
public record SessionHandlers(
        ListSessionsHandler list,
        ListUserSessionsHandler listOfUser,
        RevokeSessionHandler revoke,
        RevokeUserSessionsHandler revokeOfUser,
        ListOwnSessionsHandler listOwn,
        EndOwnSessionHandler endOwn,
        EndOwnSessionsHandler endAllOwn) {
    public SessionHandlers(Database database, SessionStore changes, Clock clock) {
        this(
                new ListSessionsHandler(database, new SessionListStore(), clock),
                new ListUserSessionsHandler(database, new SessionListStore(), clock),
                new RevokeSessionHandler(database, changes, clock),
                new RevokeUserSessionsHandler(database, new UserStore(), changes, clock),
                new ListOwnSessionsHandler(database, new SessionListStore(), clock),
                new EndOwnSessionHandler(database, changes, clock),
                new EndOwnSessionsHandler(database, new UserStore(), changes, clock));
    }
}
