package dev.vestibule.http;

import dev.vestibule.error.ErrorStatus;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Refuses a request whose head announces a longer body than the route accepts, before any other work. */
public final class BodyLimitHandler implements Handler<RoutingContext> {
    private final int maxBytes;

    public BodyLimitHandler(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void handle(RoutingContext ctx) {
        if (RequestBody.length(ctx.request()) > maxBytes) {
            ctx.fail(ErrorStatus.PAYLOAD_TOO_LARGE.code());
        } else {
            ctx.next();
        }
    }
}
