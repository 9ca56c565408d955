package dev.vestibule.session;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.session.SessionListStore.Item;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;

/** {@code GET /v1/dashboard/sessions}: a page of the project's active sessions, newest first. */
public final class ListSessionsHandler implements ApiHandler {
    private record Response(List<Item> sessions, long total) {}

    private final Database database;
    private final SessionListStore sessions;
    private final Clock clock;

    public ListSessionsHandler(Database database, SessionListStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var page = Query.read(ctx, Query::page);
        var now = clock.instant();
        var total = sessions.countOfProject(database.writes(), project, now);
        return sessions.ofProject(database.writes(), project, now, page)
                .compose(items -> total.map(count -> Reply.ok(new Response(items, count))));
    }
}
