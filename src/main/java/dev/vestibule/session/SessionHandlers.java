package dev.vestibule.session;

import dev.vestibule.access.Auditor;
import dev.vestibule.database.Database;
import dev.vestibule.user.UserStore;
import java.time.Clock;

/** The operations on sessions, for one event loop. */
public record SessionHandlers(
        ListSessionsHandler list,
        ListUserSessionsHandler listOfUser,
        ListBackendUserSessionsHandler listForBackend,
        RevokeSessionHandler revoke,
        RevokeUserSessionHandler revokeOneOfUser,
        RevokeUserSessionsHandler revokeOfUser,
        ListOwnSessionsHandler listOwn,
        ListMySessionsHandler listMine,
        EndOwnSessionHandler endOwn,
        EndOwnSessionsHandler endAllOwn) {
    public SessionHandlers(Database database, SessionStore changes, Auditor audit, Clock clock) {
        this(
                new ListSessionsHandler(database, new SessionListStore(), clock),
                new ListUserSessionsHandler(database, new SessionListStore(), clock),
                new ListBackendUserSessionsHandler(database, new SessionListStore(), clock),
                new RevokeSessionHandler(database, changes, audit, clock),
                new RevokeUserSessionHandler(database, changes, audit, clock),
                new RevokeUserSessionsHandler(database, new UserStore(), changes, audit, clock),
                new ListOwnSessionsHandler(database, new SessionListStore(), clock),
                new ListMySessionsHandler(database, new SessionListStore(), clock),
                new EndOwnSessionHandler(database, changes, audit, clock),
                new EndOwnSessionsHandler(database, new UserStore(), changes, audit, clock));
    }
}
