package dev.vestibule.session;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code GET /v1/backend/users/:userId/sessions}: all active sessions of a user as a bare list, newest first. */
public final class ListBackendUserSessionsHandler implements ApiHandler {
    private static final Page ALL =
            new Page(1000, 0); // at most 100 of their own, and one for each owner who acts as them

    private final Database database;
    private final SessionListStore sessions;
    private final Clock clock;

    public ListBackendUserSessionsHandler(Database database, SessionListStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        Query.read(ctx, fields -> ALL); // which has no parameters
        var now = clock.instant();
        var listed = sessions.ofUser(database.reads(), project, user, now, ALL);
        return sessions.countOfUser(database.reads(), project, user, now)
                .map(total -> total.orElseThrow(UserErrors::notFound))
                .compose(exists -> listed.map(Reply::ok));
    }
}
