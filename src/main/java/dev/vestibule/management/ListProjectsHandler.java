package dev.vestibule.management;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code GET /v1/dashboard/projects}: the projects that the caller keeps. */
public final class ListProjectsHandler implements ApiHandler {
    private final Database database;
    private final MembershipStore memberships;

    public ListProjectsHandler(Database database, MembershipStore memberships) {
        this.database = database;
        this.memberships = memberships;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return memberships
                .projectsOf(database.writes(), CallerHandler.user(ctx).user().id())
                .map(projects -> Reply.ok(Map.of("projects", projects)));
    }
}
