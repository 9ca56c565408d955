package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * For a route that reads its body as it comes: holds it back until the operation asks for it. Where the answer is
 * complete before the body is, the rest is dropped for a moment, so that the client hears the answer, and then cut off.
 */
public final class StreamedBodyHandler implements Handler<RoutingContext> {
    private static final long LINGER_MILLIS = 5000;

    @Override
    public void handle(RoutingContext ctx) {
        var request = ctx.request();
        request.pause();
        ctx.addEndHandler(answered -> {
            if (!request.isEnded() && answered.succeeded()) {
                dropRest(ctx.vertx(), request);
            }
        });
        ctx.next();
    }

    private static void dropRest(Vertx vertx, HttpServerRequest request) {
        var cut = vertx.setTimer(LINGER_MILLIS, late -> request.connection().close());
        request.handler(dropped -> {});
        request.exceptionHandler(closed -> vertx.cancelTimer(cut));
        request.endHandler(ended -> vertx.cancelTimer(cut));
        request.resume();
    }
}
