package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;

/** {@code GET /v1/dashboard/auth/sessions}: a page of the caller's own active sessions, newest first. */
public final class ListOwnSessionsHandler implements ApiHandler {
    private record OwnSession(@JsonUnwrapped Session session, boolean current) {}

    private record Response(List<OwnSession> sessions, long total) {}

    private final Database database;
    private final SessionListStore sessions;
    private final Clock clock;

    public ListOwnSessionsHandler(Database database, SessionListStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var project = caller.project().id();
        var user = caller.user().id();
        var page = Query.read(ctx, Query::page);
        var now = clock.instant();
        var total = sessions.countOfUser(database.reads(), project, user, now);
        return sessions.ofUser(database.reads(), project, user, now, page)
                .map(listed -> ownSessions(listed, caller.token().session()))
                .compose(own -> total.map(count -> Reply.ok(new Response(own, count.orElse(0L)))));
    }

    private static List<OwnSession> ownSessions(List<Session> sessions, SessionId current) {
        return sessions.stream()
                .map(session -> new OwnSession(session, session.id().equals(current)))
                .toList();
    }
}
