package dev.vestibule.user;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** {@code GET /v1/dashboard/users}: a page of the project's users, or of those that match a search, newest first. */
public final class ListUsersHandler implements ApiHandler {
    private static final int MAX_TERM = 254;

    private record Request(Page page, String term) {}

    private final Database database;
    private final UserListStore lists;
    private final UserSearch search;

    public ListUsersHandler(Database database, UserListStore lists, SearchTotals totals) {
        this.database = database;
        this.lists = lists;
        this.search = new UserSearch(database, lists, totals);
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = Query.read(
                ctx,
                fields -> new Request(
                        Query.page(fields),
                        Objects.requireNonNullElse(fields.optional("search", ListUsersHandler::term), "")));
        var list = request.term().isEmpty()
                ? all(project, request.page())
                : search.find(project, request.term(), request.page());
        return list.map(Reply::ok);
    }

    /** Empty where the term is blank. */
    private static String term(String text) {
        return text.isBlank() ? "" : Text.line(text, MAX_TERM);
    }

    private Future<UserList> all(ProjectId project, Page page) {
        var total = lists.count(database.writes(), project);
        return lists.page(database.writes(), project, page)
                .compose(users -> total.map(count -> new UserList(users, count)));
    }
}
