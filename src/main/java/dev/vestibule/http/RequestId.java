package dev.vestibule.http;

import com.github.f4b6a3.uuid.UuidCreator;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/** Puts a line of the log, an answer and a caller's own trace together. */
final class RequestId {
    static final String HEADER = "X-Request-Id";
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestId() {}

    /** The caller's own where it is a harmless one, else a new one. */
    static String of(HttpServerRequest request) {
        var given = request.getHeader(HEADER);
        return given != null && HARMLESS.matcher(given).matches()
                ? given
                : UuidCreator.getTimeOrderedEpochFast().toString();
    }

    /** The one that the answer carries. */
    static String of(RoutingContext ctx) {
        return ctx.response().headers().get(HEADER);
    }
}
