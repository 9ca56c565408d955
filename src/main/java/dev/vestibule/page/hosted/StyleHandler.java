package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.project.branding.BrandingStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;

/** Serves the look of a project's pages, {@code /p/:slug/style.css}. */
public final class StyleHandler {
    private final Database database;
    private final PageVisitors visitors;
    private final HostedStyle style = new HostedStyle();
    private final BrandingStore brandings = new BrandingStore();

    StyleHandler(Database database, PageVisitors visitors) {
        this.database = database;
        this.visitors = visitors;
    }

    /** {@code GET /p/:slug/style.css}: the style sheet in the colours of the project. */
    public Future<Reply> get(ApiRequest request) {
        return visitors.resolveProject(request, request.pathParam("slug"))
                .map(found -> found.orElseThrow(HostedVisits::nothingHere))
                .compose(project -> brandings.find(database.reads(), project.id()))
                .map(found -> style.of(found.orElseThrow(HostedVisits::nothingHere)))
                .map(css -> new Reply(
                        200,
                        Buffer.buffer(css),
                        Map.of("Content-Type", "text/css; charset=utf-8", "Cache-Control", "no-cache")));
    }
}
