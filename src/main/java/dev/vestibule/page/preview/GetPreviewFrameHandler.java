package dev.vestibule.page.preview;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /console/preview}: the empty document into which the console writes what a draft would look like. */
public final class GetPreviewFrameHandler implements ApiHandler {
    /** The sandbox holds in a window of its own too. Pictures and fonts are as on the hosted page. */
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
            + " font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self';"
            + " sandbox allow-same-origin";

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body></body></html>
            """;

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(Reply.page(200, PAGE, POLICY).withHeader("X-Frame-Options", "SAMEORIGIN"));
    }
}
