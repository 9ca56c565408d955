package dev.vestibule.http;

import com.github.f4b6a3.uuid.UuidCreator;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;

/** The id that connects a response, the log lines about it and the caller's own trace. */
final class RequestId {
    static final String HEADER = "X-Request-Id";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {}

    /** The caller's id if it is safe to log, else a new one. */
    static String of(HttpServerRequest request) {
        var given = request.getHeader(HEADER);
        return given != null && ALLOWED.matcher(given).matches()
                ? given
                : UuidCreator.getTimeOrderedEpochFast().toString();
    }
}
