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

    private static final String NOT_UNDERSTOOD = "The request could not be understood.";

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
            case 400 -> Refusal.of(Kind.BAD_REQUEST, NOT_UNDERSTOOD);
            case 404 -> Refusal.of(Kind.NOT_FOUND, "There is nothing at this path.");
            case 405 -> Refusal.of(Kind.METHOD_NOT_ALLOWED, "This path takes another method: see Allow.");
            case 413 -> Refusal.of(Kind.PAYLOAD_TOO_LARGE, "The body is larger than this path takes.");
            default ->
                // such as 417: what the router refuses is the client's doing
                ctx.statusCode() >= 400 && ctx.statusCode() < 500
                        ? Refusal.of(Kind.BAD_REQUEST, NOT_UNDERSTOOD)
                        : defect(ctx, failure);
        };
    }

    private static Refusal defect(RoutingContext ctx, @Nullable Throwable failure) {
        LOG.error(
                "Request {} ({} {}) failed",
                RequestId.of(ctx),
                ctx.request().method(),
                ctx.currentRoute() == null ? "" : ctx.currentRoute().getPath(),
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
        return limited(Reply.json(refusal.kind().status(), body), refusal);
    }

    /** When to come back (RFC 9110), and the limit that was met (draft-ietf-httpapi-ratelimit-headers-10). */
    private static Reply limited(Reply reply, Refusal refusal) {
        var retryAfter = refusal.retryAfter();
        if (retryAfter == null) {
            return reply;
        }
        var seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
        var timed = reply.with("Retry-After", Long.toString(seconds));
        var limit = refusal.limit();
        return limit == null
                ? timed
                : timed.with(
                                "RateLimit-Policy",
                                "\"%s\";q=%d;w=%d"
                                        .formatted(
                                                limit.name(),
                                                limit.quota(),
                                                limit.window().toSeconds()))
                        .with("RateLimit", "\"%s\";r=%d;t=%d".formatted(limit.name(), limit.remaining(), seconds));
    }

    private static Map<String, String> detail(Violation violation) {
        return Map.of("field", violation.field(), "message", violation.message());
    }
}
