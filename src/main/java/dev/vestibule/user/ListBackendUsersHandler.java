package dev.vestibule.user;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/backend/users}: as {@link ListUsersHandler}, but by numbered pages, and each user in full. */
public final class ListBackendUsersHandler implements ApiHandler {
    private record Request(UserListRequest list, int page) {
        static Request read(Fields fields, ProjectId project) {
            var limit = Query.limit(fields);
            var page =
                    Objects.requireNonNullElse(fields.optional("page", Query.integer(1, Integer.MAX_VALUE / limit)), 1);
            return new Request(
                    UserListRequest.read(fields, project, new Page(limit, (page - 1) * limit), "page"), page);
        }
    }

    private record Response(
            List<ManagedUser> data,
            long total,
            int page,
            int limit,
            @Nullable String nextCursor) {}

    private final UserSearch search;

    ListBackendUsersHandler(UserSearch search) {
        this.search = search;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = Query.read(ctx, fields -> Request.read(fields, project));
        return search.find(request.list()).map(page -> Reply.ok(response(request, page)));
    }

    private static Response response(Request request, UserPage page) {
        return new Response(
                page.users(),
                page.total(),
                request.page(),
                request.list().page().limit(),
                request.list().textOf(page.end()));
    }
}
