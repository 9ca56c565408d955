package dev.vestibule.page.hosted;

import dev.vestibule.access.PageVisitors;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.project.branding.BrandingStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code GET /p/:slug/style.css}: the look of the page in the colours of the project. */
public final class GetHostedStyleHandler implements ApiHandler {
    private final Database database;
    private final PageVisitors visitors;
    private final HostedStyle style;
    private final BrandingStore brandings = new BrandingStore();

    GetHostedStyleHandler(Database database, PageVisitors visitors, HostedStyle style) {
        this.database = database;
        this.visitors = visitors;
        this.style = style;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return visitors.admit(ctx, ctx.pathParam("slug"))
                .map(found -> found.orElseThrow(GetHostedStyleHandler::unknown))
                .compose(project -> brandings.find(database.reads(), project.id()))
                .map(found -> style.of(found.orElseThrow(GetHostedStyleHandler::unknown)))
                .map(css -> new Reply(
                        200,
                        Buffer.buffer(css),
                        Map.of("Content-Type", "text/css; charset=utf-8", "Cache-Control", "no-cache")));
    }

    private static ApiException unknown() {
        return ApiException.notFound("There is nothing at this path.");
    }
}
