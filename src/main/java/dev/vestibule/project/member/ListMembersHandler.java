package dev.vestibule.project.member;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;

/** {@code GET /v1/dashboard/projects/:projectId/members}: a page of the project's members and invitations, newest first. */
public final class ListMembersHandler implements ApiHandler {
    private record Response(List<Member> members, long total) {}

    private final Database database;
    private final MemberStore members;
    private final Clock clock;

    public ListMembersHandler(Database database, MemberStore members, Clock clock) {
        this.database = database;
        this.members = members;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var page = Query.read(ctx, Query::page);
        var total = members.count(database.writes(), project);
        return members.list(database.writes(), project, page, clock.instant())
                .compose(found -> total.map(count -> Reply.ok(new Response(found, count))));
    }
}
