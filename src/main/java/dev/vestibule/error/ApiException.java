package dev.vestibule.error;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error response: its HTTP status and a message that is safe to show. A 422 also has the failing fields, a 429 and
 * a 503 how long to wait, and a 429 the limit that was exceeded. Throw it anywhere in a request, or fail a future with
 * it. It has no stack trace, because an error response is a normal response.
 */
public class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorStatus status;
    private final String text;
    private final transient List<Violation> details;
    private final @Nullable Duration retryAfter;
    private final transient @Nullable RateLimitState limit;
    private final @Nullable String reason;
    private final transient Map<String, Object> extraFields;

    private ApiException(
            ErrorStatus status,
            String text,
            List<Violation> details,
            @Nullable Duration retryAfter,
            @Nullable RateLimitState limit,
            @Nullable String reason,
            Map<String, Object> extraFields) {
        super(text, null, false, false);
        this.status = status;
        this.text = text;
        this.details = List.copyOf(details);
        this.retryAfter = retryAfter;
        this.limit = limit;
        this.reason = reason;
        this.extraFields = Map.copyOf(extraFields);
    }

    /** For a subclass that carries extraFields than a response may show. */
    protected ApiException(ErrorStatus status, String message) {
        this(status, message, List.of(), null, null, null, Map.of());
    }

    public static ApiException of(ErrorStatus status, String message) {
        return new ApiException(status, message, List.of(), null, null, null, Map.of());
    }

    public static ApiException badRequest(String message) {
        return of(ErrorStatus.BAD_REQUEST, message);
    }

    public static ApiException unauthorized(String message) {
        return of(ErrorStatus.UNAUTHORIZED, message);
    }

    public static ApiException forbidden(String message) {
        return of(ErrorStatus.FORBIDDEN, message);
    }

    /**
     * A 403 that clients can react to. The reason is a fixed word that they can test for; the message's wording may
     * change.
     */
    public static ApiException forbidden(String message, String reason) {
        return new ApiException(ErrorStatus.FORBIDDEN, message, List.of(), null, null, reason, Map.of());
    }

    /** A 403 with extra fields in its body, which the client needs in order to react. */
    public static ApiException forbidden(String message, String reason, Map<String, Object> extraFields) {
        return new ApiException(ErrorStatus.FORBIDDEN, message, List.of(), null, null, reason, extraFields);
    }

    public static ApiException notFound(String message) {
        return of(ErrorStatus.NOT_FOUND, message);
    }

    public static ApiException conflict(String message) {
        return of(ErrorStatus.CONFLICT, message);
    }

    /** A 422 that lists every failing field. Its message names the first one, because most clients show only that. */
    public static ApiException invalid(List<Violation> violations) {
        var first = violations.get(0);
        return new ApiException(
                ErrorStatus.UNPROCESSABLE,
                first.field() + " " + first.message(),
                violations,
                null,
                null,
                null,
                Map.of());
    }

    /** For when a server that this one depends on fails, such as an identity provider. */
    public static ApiException badGateway(String message) {
        return of(ErrorStatus.BAD_GATEWAY, message);
    }

    public static ApiException unavailable(String message, Duration retryAfter) {
        return new ApiException(ErrorStatus.UNAVAILABLE, message, List.of(), retryAfter, null, null, Map.of());
    }

    public static ApiException tooManyRequests(String message, Duration retryAfter, RateLimitState limit) {
        return new ApiException(ErrorStatus.TOO_MANY_REQUESTS, message, List.of(), retryAfter, limit, null, Map.of());
    }

    public ErrorStatus status() {
        return status;
    }

    /** The message that the client sees. */
    public String message() {
        return text;
    }

    public List<Violation> details() {
        return details;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public @Nullable RateLimitState limit() {
        return limit;
    }

    public @Nullable String reason() {
        return reason;
    }

    /** Fields of the body in addition to the usual ones. */
    public Map<String, Object> extraFields() {
        return extraFields;
    }
}
