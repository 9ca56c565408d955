package dev.vestibule.http;

import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.limits.NetworkBudget;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's body for {@link Body}. Each chunk counts against a byte budget that all bodies share, until the
 * response has ended or the connection is closed. A body that exceeds the budget gets a 503, and the rest of it is
 * dropped. vertx-web's own handler is not used: it has no budget, and it allocates the length that the head announces.
 */
public final class BodyReader implements Handler<RoutingContext> {
    private static final String CONTINUE = "100-continue";
    private static final int EXPECTATION_FAILED = 417;

    private final BodyBudget budget;
    private final int maxBytes;

    public BodyReader(BodyBudget budget, int maxBytes) {
        this.budget = budget;
        this.maxBytes = maxBytes;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var length = RequestBody.length(ctx.request());
        if (length == 0) {
            ctx.next();
            return;
        }
        var expectation = ctx.request().getHeader(HttpHeaders.EXPECT);
        if (expectation != null && !expectation.equalsIgnoreCase(CONTINUE)) {
            ctx.fail(EXPECTATION_FAILED);
            return;
        }
        new Reading(ctx).start(length, expectation != null);
    }

    /** The reading of one body. */
    private final class Reading {
        private final RoutingContext ctx;
        private final NetworkBudget.Share share;
        private @Nullable Buffer body;
        private boolean isDone;

        Reading(RoutingContext ctx) {
            this.ctx = ctx;
            this.share = budget.share(ctx.request());
        }

        void start(long announced, boolean isContinueExpected) {
            var request = ctx.request();
            if (ctx.response().closed()) {
                finish(); // closed while the guard was working: no event reports it any more
                return;
            }
            ctx.addEndHandler(answered -> finish());
            if (!share.hasRoomFor(Math.max(announced, 1))) {
                refuse();
                return;
            }
            request.handler(this::receive).endHandler(this::end).exceptionHandler(this::abort);
            if (isContinueExpected && request.version() != HttpVersion.HTTP_1_0) {
                ctx.response().writeContinue();
            }
            request.resume();
        }

        private void receive(Buffer chunk) {
            if (isDone) {
                return;
            }
            var length = (body == null ? 0 : body.length()) + chunk.length();
            if (length > maxBytes) {
                finish();
                ctx.fail(ErrorStatus.PAYLOAD_TOO_LARGE.code());
            } else if (!share.tryAcquire(chunk.length())) {
                refuse();
            } else {
                body = body == null ? chunk : body.appendBuffer(chunk);
            }
        }

        private void end(Void ended) {
            if (!isDone) {
                Body.put(ctx, body);
                body = null;
                ctx.next();
            }
        }

        /** The connection was closed, or the body breaks the rules of HTTP. */
        private void abort(Throwable cause) {
            finish();
            ctx.fail(ErrorStatus.BAD_REQUEST.code(), cause);
        }

        private void refuse() {
            finish();
            ctx.fail(budget.refuse("The server holds too many request bodies at the moment."));
        }

        private void finish() {
            isDone = true;
            body = null;
            share.close();
        }
    }
}
