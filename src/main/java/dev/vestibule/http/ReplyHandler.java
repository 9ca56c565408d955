package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs an operation and writes its reply. Responses are written only here, except for streams. A large one counts
 * against a byte budget until the client has read it, or has been cut off for reading nothing.
 */
public final class ReplyHandler implements Handler<RoutingContext> {
    /** The limit of connections bounds responses up to this size. */
    private static final int SMALL = 32 * 1024;

    private static final Set<HttpMethod> REPEATABLE = Set.of(HttpMethod.GET, HttpMethod.HEAD);

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
        if (!share.tryAcquire(length) && !share.tryAcquireAlone(length)) {
            if (REPEATABLE.contains(ctx.request().method())) {
                ctx.fail(unread.refuse("Too many responses have not been read yet."));
                return;
            }
            share.acquire(length); // the operation has changed something, and only this response tells of it
        }
        write(ctx, reply).onComplete(written -> share.close());
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
