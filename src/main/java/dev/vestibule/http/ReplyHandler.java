package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** Runs an operation and writes its reply. Responses are written only here, except for streams. */
public final class ReplyHandler implements Handler<RoutingContext> {
    private final Function<RoutingContext, Future<Reply>> operation;

    public ReplyHandler(Function<RoutingContext, Future<Reply>> operation) {
        this.operation = operation;
    }

    @Override
    public void handle(RoutingContext ctx) {
        operation
                .apply(ctx)
                .map(reply -> reply.orNotModified(ctx.request().headers().getAll(HttpHeaders.IF_NONE_MATCH)))
                .onSuccess(reply -> write(ctx, reply))
                .onFailure(ctx::fail);
    }

    static void write(RoutingContext ctx, Reply reply) {
        var response = ctx.response();
        if (response.headWritten() || response.closed()) {
            return; // the operation streamed or aborted it, or the client has closed the connection
        }
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        response.end(reply.body());
    }
}
