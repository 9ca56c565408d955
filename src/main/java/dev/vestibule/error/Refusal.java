package dev.vestibule.error;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client is refused with: a kind, a message that is safe to show, the failing fields (for a 422), how long to
 * wait before a retry, where that is known, and the limit that was met (for a 429).
 */
public record Refusal(
        Kind kind,
        String message,
        List<Violation> details,
        @Nullable Duration retryAfter,
        @Nullable Limit limit) {

    public Refusal {
        details = List.copyOf(details);
    }

    public static Refusal of(Kind kind, String message) {
        return new Refusal(kind, message, List.of(), null, null);
    }

    public static RefusedException badRequest(String message) {
        return of(Kind.BAD_REQUEST, message).asException();
    }

    public static RefusedException unauthorized(String message) {
        return of(Kind.UNAUTHORIZED, message).asException();
    }

    public static RefusedException forbidden(String message) {
        return of(Kind.FORBIDDEN, message).asException();
    }

    public static RefusedException notFound(String message) {
        return of(Kind.NOT_FOUND, message).asException();
    }

    public static RefusedException conflict(String message) {
        return of(Kind.CONFLICT, message).asException();
    }

    /** A 422 that lists every failing field at once. */
    public static RefusedException invalid(List<Violation> violations) {
        return new Refusal(Kind.UNPROCESSABLE, "Some fields are not valid.", violations, null, null).asException();
    }

    /** For a server behind this one that does not do its part. */
    public static RefusedException badGateway(String message) {
        return of(Kind.BAD_GATEWAY, message).asException();
    }

    public static RefusedException unavailable(String message, Duration retryAfter) {
        return new Refusal(Kind.UNAVAILABLE, message, List.of(), retryAfter, null).asException();
    }

    public static RefusedException tooManyRequests(String message, Duration retryAfter, Limit limit) {
        return new Refusal(Kind.TOO_MANY_REQUESTS, message, List.of(), retryAfter, limit).asException();
    }

    public RefusedException asException() {
        return new RefusedException(this);
    }
}
