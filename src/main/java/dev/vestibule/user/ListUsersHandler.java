package dev.vestibule.user;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/dashboard/users}: a page of the project's users, or of those that match a search, newest first. */
public final class ListUsersHandler implements ApiHandler {
    private record Response(
            List<UserItem> users, long total, @Nullable String nextCursor) {}

    private final UserSearch search;

    ListUsersHandler(UserSearch search) {
        this.search = search;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = Query.read(ctx, fields -> UserListRequest.read(fields, project, Query.page(fields), "offset"));
        return search.find(request).map(page -> Reply.ok(response(request, page)));
    }

    private static Response response(UserListRequest request, UserPage page) {
        return new Response(
                page.users().stream()
                        .map(managed -> UserItem.of(managed.user()))
                        .toList(),
                page.total(),
                request.textOf(page.end()));
    }
}
