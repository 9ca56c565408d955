package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * Runs an operation and writes its reply. Responses are written only here, except for streams. A large one counts
 * against a byte budget until the client has read it, or has been cut off for reading nothing.
 */
public final class ReplyHandler implements Handler<RoutingContext> {
    /** A response up to this size is part of what a connection costs in any case. */
    private static final int SMALL = 32 * 1024;

    private final BodyBudget unread;
    private final Function<RoutingContext, Future<Reply>> operation;

    public ReplyHandler(BodyBudget unread, Function<RoutingContext, Future<Reply>> operation) {
        this.unread = unread;
        this.operation = operation;
    }

    @Override
    public void handle(RoutingContext ctx) {
        operation
                .apply(ctx)
                .map(reply -> reply.orNotModified(ctx.request().headers().getAll(HttpHeaders.IF_NONE_MATCH)))
                .onSuccess(reply -> writeWithinBudget(ctx, reply))
                .onFailure(ctx::fail);
    }

    private void writeWithinBudget(RoutingContext ctx, Reply reply) {
        var length = reply.body().length();
        if (length <= SMALL || CompressibleBody.isShared(reply.body())) {
            write(ctx, reply);
            return;
        }
        var share = unread.share(ctx.request());
        if (share.tryAcquire(length)) {
            write(ctx, reply).onComplete(written -> share.close());
        } else {
            ctx.fail(unread.refuse("Too many responses have not been read yet."));
        }
    }

    /** Completes when the response has left this process, or never will. */
    static Future<Void> write(RoutingContext ctx, Reply reply) {
        var response = ctx.response();
        if (response.headWritten() || response.closed()) {
            // the operation streamed or aborted it, or the client has closed the connection
            return Future.succeededFuture();
        }
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        return response.end(reply.body());
    }
}
