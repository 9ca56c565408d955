package dev.vestibule.page.documentation;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.CompressibleBody;
import dev.vestibule.http.Reply;
import dev.vestibule.page.ContentSecurityPolicy;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;

/** Serves the pages of the documentation, and the index of their search. */
public final class DocumentationHandler {
    private static final String ROOT = "/docs";
    private static final String INDEX = ROOT + "/search.json";
    private static final int NOT_FOUND = 404;

    private static final Map<String, String> HEADERS =
            Reply.page(200, "", ContentSecurityPolicy.SCRIPTS).headers();

    private static final Map<String, String> INDEX_HEADERS =
            Map.of("Content-Type", "application/json", "Cache-Control", "public, max-age=300");

    private final DocumentationPages pages;

    public DocumentationHandler(DocumentationPages pages) {
        this.pages = pages;
    }

    /**
     * {@code GET /docs/} and {@code GET /docs/:page/}: a page of the documentation. Links between pages are relative,
     * so a URL without a trailing slash redirects to the one with it. {@code search.json} is the index of the search.
     */
    public Future<Reply> get(ApiRequest request) {
        var path = request.path();
        if (path.equals(INDEX)) {
            return pages.index(request.vertx()).map(index -> index.reply(request.context(), 200, INDEX_HEADERS));
        }
        return path.equals(ROOT)
                ? Future.succeededFuture(Reply.redirect("docs/"))
                : pages.all(request.vertx()).map(all -> reply(request, all, path.substring(ROOT.length() + 1)));
    }

    private static Reply reply(ApiRequest request, Map<String, CompressibleBody> all, String below) {
        var hasSlash = below.isEmpty() || below.endsWith("/");
        var name = below.isEmpty() ? Guides.START : hasSlash ? below.substring(0, below.length() - 1) : below;
        if (!isPage(name, below)) {
            return page(
                    request,
                    NOT_FOUND,
                    all,
                    hasSlash ? DocumentationPages.NONE : DocumentationPages.NONE_WITHOUT_SLASH);
        }
        return hasSlash ? page(request, 200, all, name) : Reply.redirect(name + "/");
    }

    /** The start page has only one URL. */
    private static boolean isPage(String name, String below) {
        return name.equals(DocumentationPages.API)
                || (Guides.SLUGS.contains(name) && (below.isEmpty() || !name.equals(Guides.START)));
    }

    private static Reply page(ApiRequest request, int status, Map<String, CompressibleBody> all, String name) {
        return Objects.requireNonNull(all.get(name), name).reply(request.context(), status, HEADERS);
    }
}
