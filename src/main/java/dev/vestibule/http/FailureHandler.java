package dev.vestibule.http;

import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.Kind;
import dev.vestibule.error.Refusal;
import dev.vestibule.error.RefusedException;
import dev.vestibule.error.Violation;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpClosedException;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every failure, the router's own included, into the one error body; only a defect of ours is logged. */
public final class FailureHandler implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    @Override
    public void handle(RoutingContext ctx) {
        Replies.write(ctx, reply(refusal(ctx)));
    }

    private static Refusal refusal(RoutingContext ctx) {
        var failure = ctx.failure();
        if (failure instanceof RefusedException refused) {
            return refused.refusal();
        }
        if (failure instanceof MalformedJsonException malformed) {
            return Refusal.of(Kind.BAD_REQUEST, String.valueOf(malformed.getMessage()));
        }
        if (failure != null && !(failure instanceof HttpClosedException)) {
            var database = SqlFailures.refusal(failure);
            if (database.isPresent()) {
                LOG.warn("Request {} met a busy or absent database: {}", RequestId.of(ctx), failure.toString());
                return database.get().refusal();
            }
        }
        return byStatus(ctx, failure);
    }

    private static Refusal byStatus(RoutingContext ctx, @Nullable Throwable failure) {
        return switch (ctx.statusCode()) {
            case 400 -> Refusal.of(Kind.BAD_REQUEST, "The request could not be understood.");
            case 404 -> Refusal.of(Kind.NOT_FOUND, "There is nothing at this path.");
            case 405 -> Refusal.of(Kind.METHOD_NOT_ALLOWED, "This path takes another method: see Allow.");
            case 413 -> Refusal.of(Kind.PAYLOAD_TOO_LARGE, "The body is larger than this path takes.");
            default -> defect(ctx, failure);
        };
    }

    private static Refusal defect(RoutingContext ctx, @Nullable Throwable failure) {
        LOG.error(
                "Request {} ({} {}) failed",
                RequestId.of(ctx),
                ctx.request().method(),
                ctx.currentRoute() == null ? "" : ctx.currentRoute().getName(),
                failure);
        return Refusal.of(
                Kind.INTERNAL, "Something went wrong on our side. The X-Request-Id header names it in the log.");
    }

    static Reply reply(Refusal refusal) {
        var body = new LinkedHashMap<String, Object>();
        body.put("statusCode", refusal.kind().status());
        body.put("error", refusal.kind().title());
        body.put("message", refusal.message());
        if (refusal.kind() == Kind.UNPROCESSABLE) {
            body.put(
                    "details",
                    refusal.details().stream().map(FailureHandler::detail).toList());
        }
        var reply = Reply.json(refusal.kind().status(), body);
        var retryAfter = refusal.retryAfter();
        return retryAfter == null
                ? reply
                : reply.with(
                        "Retry-After",
                        Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds())));
    }

    private static Map<String, String> detail(Violation violation) {
        return Map.of("field", violation.field(), "message", violation.message());
    }
}
