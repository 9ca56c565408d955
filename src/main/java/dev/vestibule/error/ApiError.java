package dev.vestibule.error;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error response: its HTTP status, a message that is safe to show, the failing fields (for a 422), how long to wait
 * before a retry where that is known, and the limit that was exceeded (for a 429).
 */
public record ApiError(
        ErrorStatus status,
        String message,
        List<Violation> details,
        @Nullable Duration retryAfter,
        @Nullable RateLimitState limit) {

    public ApiError {
        details = List.copyOf(details);
    }

    public static ApiError of(ErrorStatus status, String message) {
        return new ApiError(status, message, List.of(), null, null);
    }

    public static ApiException badRequest(String message) {
        return of(ErrorStatus.BAD_REQUEST, message).asException();
    }

    public static ApiException unauthorized(String message) {
        return of(ErrorStatus.UNAUTHORIZED, message).asException();
    }

    public static ApiException forbidden(String message) {
        return of(ErrorStatus.FORBIDDEN, message).asException();
    }

    public static ApiException notFound(String message) {
        return of(ErrorStatus.NOT_FOUND, message).asException();
    }

    public static ApiException conflict(String message) {
        return of(ErrorStatus.CONFLICT, message).asException();
    }

    /** A 422 that lists every failing field. Its message names the first one, because most clients show only that. */
    public static ApiException invalid(List<Violation> violations) {
        var first = violations.get(0);
        return new ApiError(ErrorStatus.UNPROCESSABLE, first.field() + " " + first.message(), violations, null, null)
                .asException();
    }

    /** For a server that this one depends on, such as an identity provider, and that fails. */
    public static ApiException badGateway(String message) {
        return of(ErrorStatus.BAD_GATEWAY, message).asException();
    }

    public static ApiException unavailable(String message, Duration retryAfter) {
        return new ApiError(ErrorStatus.UNAVAILABLE, message, List.of(), retryAfter, null).asException();
    }

    public static ApiException tooManyRequests(String message, Duration retryAfter, RateLimitState limit) {
        return new ApiError(ErrorStatus.TOO_MANY_REQUESTS, message, List.of(), retryAfter, limit).asException();
    }

    public ApiException asException() {
        return new ApiException(this);
    }
}
