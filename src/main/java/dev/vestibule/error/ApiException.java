package dev.vestibule.error;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error response: a code, which decides its HTTP status, and a message that is safe to show; for a 422 the failing
 * fields, for a 429 and a 503 how long to wait, for a 429 the limit that was exceeded. Throw it anywhere in a request,
 * or fail a future with it. It has no stack trace, because such an error is a normal response.
 */
public class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String text;
    private final transient List<Violation> details;
    private final @Nullable Duration retryAfter;
    private final transient @Nullable RateLimitState limit;
    private final transient Map<String, Object> extraFields;

    private ApiException(
            ErrorCode code,
            String text,
            List<Violation> details,
            @Nullable Duration retryAfter,
            @Nullable RateLimitState limit,
            Map<String, Object> extraFields) {
        super(text, null, false, false);
        this.code = code;
        this.text = text;
        this.details = List.copyOf(details);
        this.retryAfter = retryAfter;
        this.limit = limit;
        this.extraFields = Map.copyOf(extraFields);
    }

    /** For an error of a package's own, which knows more than a response may tell. */
    protected ApiException(ErrorCode code, String message) {
        this(code, message, List.of(), null, null, Map.of());
    }

    public static ApiException of(ErrorCode code, String message) {
        return new ApiException(code, message);
    }

    /** With fields of its own in addition to the usual ones: what the client needs to do something about it. */
    public static ApiException of(ErrorCode code, String message, Map<String, Object> extraFields) {
        return new ApiException(code, message, List.of(), null, null, extraFields);
    }

    /** With the time after which the client may try again. */
    public static ApiException of(ErrorCode code, String message, Duration retryAfter) {
        return new ApiException(code, message, List.of(), retryAfter, null, Map.of());
    }

    public static ApiException tooManyRequests(
            ErrorCode code, String message, Duration retryAfter, RateLimitState limit) {
        return new ApiException(code, message, List.of(), retryAfter, limit, Map.of());
    }

    /** A 422 that lists every failing field. Its message names the first one, because most clients show only that. */
    public static ApiException invalid(List<Violation> violations) {
        return invalid(ErrorCode.INVALID_FIELDS, violations);
    }

    /** For a violation that programs can tell from others. */
    public static ApiException invalid(ErrorCode code, List<Violation> violations) {
        var first = violations.get(0);
        return new ApiException(code, first.field() + " " + first.message(), violations, null, null, Map.of());
    }

    public ErrorCode code() {
        return code;
    }

    public ErrorStatus status() {
        return code.status();
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

    /** Fields of the body in addition to the usual ones. */
    public Map<String, Object> extraFields() {
        return extraFields;
    }
}
