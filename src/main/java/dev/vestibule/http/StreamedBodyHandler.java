package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * For a route that streams its body: pauses the request until the operation reads it. If the response ends before the
 * body, the rest of the body is read and dropped for {@value #LINGER_MILLIS} ms, so that the client can read the
 * response; then the connection is closed.
 */
public final class StreamedBodyHandler implements Handler<RoutingContext> {
    private static final long LINGER_MILLIS = 5000;

    private final Connections connections;

    public StreamedBodyHandler(Connections connections) {
        this.connections = connections;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var request = ctx.request();
        connections.allowStreaming(request);
        request.pause();
        ctx.addEndHandler(answered -> {
            if (!request.isEnded() && answered.succeeded()) {
                dropRest(ctx.vertx(), request);
            }
        });
        ctx.next();
    }

    private static void dropRest(Vertx vertx, HttpServerRequest request) {
        var cut = vertx.setTimer(LINGER_MILLIS, late -> Connections.cutOff(request.connection()));
        request.handler(dropped -> {});
        request.exceptionHandler(closed -> vertx.cancelTimer(cut));
        request.endHandler(ended -> vertx.cancelTimer(cut));
        request.resume();
    }
}
