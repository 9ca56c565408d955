package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses requests that a browser sends from a page of an untrusted origin, before anything is done or even read. It
 * runs after {@link CorsHandler}, so that the page's developer sees why; for the same reason it lets preflights pass,
 * which do nothing.
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
