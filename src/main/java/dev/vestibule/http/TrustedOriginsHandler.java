package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses what a browser sends from a page of an origin that is not trusted, preflights too, before anything is done. It
 * comes before {@link CorsHandler}, so that such a page cannot read the refusal either.
 */
public final class TrustedOriginsHandler implements Handler<RoutingContext> {
    private final TrustedOrigins trusted;

    public TrustedOriginsHandler(TrustedOrigins trusted) {
        this.trusted = trusted;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var request = ctx.request();
        var host = request.getHeader(HttpHeaders.HOST);
        for (var origin : request.headers().getAll(HttpHeaders.ORIGIN)) {
            if (!trusted.contains(origin, host)) {
                ctx.response().putHeader(HttpHeaders.VARY, "Origin");
                throw ApiException.forbidden(
                        "Pages of this origin may not call this path: it is not the server's own (publicUrl), and not"
                                + " in dashboard.allowedOrigins.");
            }
        }
        ctx.next();
    }
}
