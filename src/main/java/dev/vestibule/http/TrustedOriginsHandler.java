package dev.vestibule.http;

import io.vertx.core.Handler;
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
        trusted.require(ctx);
        ctx.next();
    }
}
