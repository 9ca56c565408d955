package dev.vestibule.page.documentation;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.page.ContentSecurityPolicy;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/**
 * {@code GET /docs/} and {@code GET /docs/:page/}: a page of the documentation. Pages link to each other relative to
 * themselves, so an address without the slash at its end leads to the one with it.
 */
public final class GetDocumentationHandler implements ApiHandler {
    private static final String ROOT = "/docs";
    private static final int NOT_FOUND = 404;

    private final DocumentationPages pages;

    public GetDocumentationHandler(DocumentationPages pages) {
        this.pages = pages;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var path = ctx.normalizedPath();
        return path.equals(ROOT)
                ? Future.succeededFuture(Reply.redirect("docs/"))
                : pages.all(ctx.vertx()).map(all -> reply(all, path.substring(ROOT.length() + 1)));
    }

    private static Reply reply(Map<String, String> all, String below) {
        var hasSlash = below.isEmpty() || below.endsWith("/");
        var name = below.isEmpty() ? Guides.START : hasSlash ? below.substring(0, below.length() - 1) : below;
        if (!isPage(name, below)) {
            return page(
                    NOT_FOUND,
                    all.getOrDefault(hasSlash ? DocumentationPages.NONE : DocumentationPages.NONE_BESIDE, ""));
        }
        return hasSlash ? page(200, all.getOrDefault(name, "")) : Reply.redirect(name + "/");
    }

    /** The start page has one address only. */
    private static boolean isPage(String name, String below) {
        return name.equals(DocumentationPages.API)
                || (Guides.SLUGS.contains(name) && (below.isEmpty() || !name.equals(Guides.START)));
    }

    private static Reply page(int status, String html) {
        return Reply.page(status, html, ContentSecurityPolicy.SCRIPTS);
    }
}
