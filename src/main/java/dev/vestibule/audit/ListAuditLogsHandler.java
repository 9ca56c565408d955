package dev.vestibule.audit;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/dashboard/audit-logs}, and the same below {@code /v1/backend}: a page of the log, newest first. */
public final class ListAuditLogsHandler implements ApiHandler {
    /** As far as pages can be asked for by number, and entries are counted. */
    private static final int MOST_COUNTED = 10_000;

    private record Request(AuditFilter filter, @Nullable AuditCursor cursor, int page, int limit) {
        static Request read(Fields fields) {
            var limit = Query.limit(fields);
            var cursor = fields.optional("cursor", AuditCursor::read);
            if (cursor != null && fields.isGiven("page")) {
                fields.reject("page", "must not come with a cursor, which says itself where the page begins");
            }
            var page = fields.optional("page", Query.integer(1, MOST_COUNTED / limit));
            return new Request(AuditFilter.read(fields), cursor, Objects.requireNonNullElse(page, 1), limit);
        }

        AuditCursor before() {
            return cursor == null ? filter.end() : filter.end().orEarlier(cursor);
        }
    }

    private record Response(
            List<AuditLine> data,
            long total,
            boolean totalIsExact,
            int page,
            int limit,
            @Nullable String nextCursor) {}

    private final Database database;
    private final AuditListStore store;

    ListAuditLogsHandler(Database database, AuditListStore store) {
        this.database = database;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = Query.read(ctx, Request::read);
        return list(project, request).map(Reply::ok);
    }

    /** One more entry than the page takes tells whether there is a next one. */
    private Future<Response> list(ProjectId project, Request request) {
        var offset = (request.page() - 1) * request.limit();
        var total = store.count(
                database.writes(), project, request.filter(), request.filter().end(), MOST_COUNTED + 1);
        return store.page(database.writes(), project, request.filter(), request.before(), request.limit() + 1, offset)
                .compose(found -> total.map(counted -> response(request, found, counted)));
    }

    private static Response response(Request request, List<AuditLine> found, long counted) {
        var hasMore = found.size() > request.limit();
        var lines = hasMore ? found.subList(0, request.limit()) : found;
        return new Response(
                lines,
                Math.min(counted, MOST_COUNTED),
                counted <= MOST_COUNTED,
                request.page(),
                request.limit(),
                hasMore ? lines.get(lines.size() - 1).place().text() : null);
    }
}
