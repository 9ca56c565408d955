package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.MemberStore.ProjectItem;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code GET /v1/dashboard/projects}: a page of the projects that the caller is a member of, newest first. */
public final class ListProjectsHandler implements ApiHandler {
    private record Response(List<ProjectItem> projects, long total) {}

    private final Database database;
    private final MemberStore members;

    public ListProjectsHandler(Database database, MemberStore members) {
        this.database = database;
        this.members = members;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var user = Caller.user(ctx).user().id();
        var page = Query.read(ctx, Query::page);
        var total = members.countProjectsOf(database.writes(), user);
        return members.projectsOf(database.writes(), user, page)
                .compose(projects -> total.map(count -> Reply.ok(new Response(projects, count))));
    }
}
