package dev.vestibule.session;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;

/** {@code GET /v1/dashboard/users/:userId/sessions}: a page of one user's active sessions, newest first. */
public final class ListUserSessionsHandler implements ApiHandler {
    private record Response(List<Session> sessions, long total) {}

    private final Database database;
    private final SessionListStore sessions;
    private final Clock clock;

    public ListUserSessionsHandler(Database database, SessionListStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var page = Query.read(ctx, Query::page);
        var now = clock.instant();
        var listed = sessions.ofUser(database.reads(), project, user, now, page);
        return sessions.countOfUser(database.reads(), project, user, now)
                .map(total -> total.orElseThrow(UserErrors::notFound))
                .compose(total -> listed.map(items -> Reply.ok(new Response(items, total))));
    }
}
