package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.json.MalformedJsonException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns every failure, including those of the router, into an error response; only failures of this server are logged.
 */
public final class FailureHandler implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    private static final String NOT_UNDERSTOOD = "The request could not be understood.";

    /** How much a client may already have sent before it reads the response. */
    private static final int MAX_REST_BYTES = 8 * 1024;

    /** Shows an error to a person whose browser has asked for a page; empty for all other requests. */
    @FunctionalInterface
    public interface ErrorPages {
        Optional<Future<Reply>> of(RoutingContext ctx, ApiException error);
    }

    private final Function<Throwable, Optional<ApiException>> translator;
    private final ErrorPages pages;

    /** Answers errors that no person sees, so it has no pages for them. */
    public FailureHandler(Function<Throwable, Optional<ApiException>> translator) {
        this(translator, (ctx, error) -> Optional.empty());
    }

    /** The translator maps expected failures, such as those of an unavailable database, to error responses. */
    public FailureHandler(Function<Throwable, Optional<ApiException>> translator, ErrorPages pages) {
        this.translator = translator;
        this.pages = pages;
    }

    @Override
    public void handle(RoutingContext ctx) {
        var error = error(ctx, ctx.failure());
        pages.of(ctx, error)
                .map(page -> page.map(shown -> withLimit(shown, error)).otherwise(failure -> reply(error)))
                .orElseGet(() -> Future.succeededFuture(reply(error)))
                .onSuccess(reply -> write(ctx, reply));
    }

    private static void write(RoutingContext ctx, Reply written) {
        var reply = written;
        if (mayLeaveUnreadBody(ctx.request())) {
            reply = reply.withHeader("Connection", "close"); // or its next request could be read as part of this body
        }
        var unused = ReplyHandler.write(ctx, reply); // nobody waits for it
        if (!ctx.request().isEnded()) {
            ctx.request().resume(); // it may be paused; the rest of its body is dropped as it arrives
        }
    }

    /** Whether the body is so long that the client may stop sending it when it reads the error. */
    private static boolean mayLeaveUnreadBody(HttpServerRequest request) {
        var length = RequestBody.length(request);
        return !request.isEnded() && (length == RequestBody.UNKNOWN || length > MAX_REST_BYTES);
    }

    /** Only the error body, for a streamed response that had already started when its operation failed. */
    public Object errorBody(RoutingContext ctx, Throwable failure) {
        return body(error(ctx, failure));
    }

    private ApiException error(RoutingContext ctx, @Nullable Throwable failure) {
        if (failure instanceof ApiException known) {
            return known;
        }
        if (failure instanceof MalformedJsonException malformed) {
            return ApiException.of(ErrorCode.MALFORMED_BODY, String.valueOf(malformed.getMessage()));
        }
        if (failure == null || (ctx.failed() && ctx.statusCode() != ErrorStatus.INTERNAL.code())) {
            return byStatus(ctx.statusCode());
        }
        var operation = Operation.name(ctx);
        if (operation == null || failure instanceof HttpClosedException) {
            // The body was cut off or violates the rules of HTTP: the client's fault.
            return ApiException.of(ErrorCode.BAD_REQUEST, NOT_UNDERSTOOD);
        }
        return unexpected(operation, failure);
    }

    private static ApiException byStatus(int status) {
        return switch (status) {
            case 404 -> ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
            case 405 ->
                ApiException.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "This path does not accept this method. The Allow header lists those that it accepts.");
            case 413 -> ApiException.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body is larger than this path accepts.");
            case 503 ->
                ApiException.of(
                        ErrorCode.UNAVAILABLE,
                        "The request took too long. Try again in a moment.",
                        Duration.ofSeconds(1));
            // such as 400 and 417: the router rejects only what the client has done wrong
            default -> ApiException.of(ErrorCode.BAD_REQUEST, NOT_UNDERSTOOD);
        };
    }

    private ApiException unexpected(String operation, Throwable failure) {
        var known = translator.apply(failure);
        if (known.isPresent()) {
            logIfBusy(operation, known.get(), failure);
            return known.get();
        }
        LOG.error("{} failed", operation, failure);
        return ApiException.of(
                ErrorCode.INTERNAL_ERROR,
                "The server failed to handle the request. Its log has the cause under the X-Request-Id of this response.");
    }

    private static void logIfBusy(String operation, ApiException known, Throwable failure) {
        if (known.status() == ErrorStatus.UNAVAILABLE) {
            LOG.warn("{} failed because the database is busy or unreachable: {}", operation, failure.toString());
        }
    }

    private static Map<String, Object> body(ApiException error) {
        var body = new LinkedHashMap<String, Object>();
        body.put("statusCode", error.status().code());
        body.put("error", error.status().reasonPhrase());
        body.put("message", error.message());
        body.put("code", error.code().text());
        if (error.code().isReason()) {
            body.put("reason", error.code().text());
        }
        body.putAll(error.extraFields());
        if (error.status() == ErrorStatus.UNPROCESSABLE) {
            body.put(
                    "details",
                    error.details().stream().map(FailureHandler::detail).toList());
        }
        return body;
    }

    static Reply reply(ApiException error) {
        var reply = Reply.json(error.status().code(), body(error));
        return withLimit(
                error.status() == ErrorStatus.UNAUTHORIZED
                        ? reply.withHeader("WWW-Authenticate", "Bearer") // RFC 9110, 11.6.1
                        : reply,
                error);
    }

    /** When to retry (RFC 9110), and the limit that was exceeded (draft-ietf-httpapi-ratelimit-headers-10). */
    private static Reply withLimit(Reply reply, ApiException error) {
        var retryAfter = error.retryAfter();
        if (retryAfter == null) {
            return reply;
        }
        var seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
        var timed = reply.withHeader("Retry-After", Long.toString(seconds));
        var limit = error.limit();
        return limit == null
                ? timed
                : timed.withHeader(
                                "RateLimit-Policy",
                                "\"%s\";q=%d;w=%d"
                                        .formatted(
                                                limit.name(),
                                                limit.quota(),
                                                limit.window().toSeconds()))
                        .withHeader(
                                "RateLimit", "\"%s\";r=%d;t=%d".formatted(limit.name(), limit.remaining(), seconds));
    }

    private static Map<String, String> detail(Violation violation) {
        return Map.of("field", violation.field(), "message", violation.message());
    }
}
