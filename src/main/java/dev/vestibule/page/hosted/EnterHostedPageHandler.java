package dev.vestibule.page.hosted;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** {@code GET /p/:slug} and {@code GET /p/:slug/:form}: leads to the page, to whose folder its links are relative. */
public final class EnterHostedPageHandler implements ApiHandler {
    private static final int SLASHES_OF_BARE_ADDRESS = 2;

    EnterHostedPageHandler() {}

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var slug = URLEncoder.encode(ctx.pathParam("slug"), StandardCharsets.UTF_8);
        var isForm =
                ctx.normalizedPath().chars().filter(letter -> letter == '/').count() > SLASHES_OF_BARE_ADDRESS;
        return Future.succeededFuture(Reply.redirect(isForm ? "./" : "./" + slug + "/"));
    }
}
