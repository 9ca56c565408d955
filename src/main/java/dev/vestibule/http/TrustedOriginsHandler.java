package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses what a browser sends from a page of an origin that is not trusted, before anything is done or even read. It comes
 * after {@link CorsHandler}, so that the page's developer sees why; a preflight, which does nothing, passes for that.
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
                CorsHandler.withdrawCredentials(ctx);
                throw ApiException.forbidden(
                        "Pages of this origin may not call this path: it is not the server's own (publicUrl), and not"
                                + " in dashboard.allowedOrigins.");
            }
        }
        ctx.next();
    }
}
