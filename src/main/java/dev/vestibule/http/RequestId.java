package dev.vestibule.http;

import com.github.f4b6a3.uuid.UuidCreator;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/**
 * Gives each request an id, or keeps the caller's where it is a harmless one, so that a line of the log, an answer and
 * a caller's own trace can be put together.
 */
public final class RequestId implements Handler<RoutingContext> {
    private static final String HEADER = "X-Request-Id";
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    @Override
    public void handle(RoutingContext ctx) {
        var given = ctx.request().getHeader(HEADER);
        var id = given != null && HARMLESS.matcher(given).matches() ? given : next();
        ctx.response().putHeader(HEADER, id);
        ctx.next();
    }

    static String next() {
        return UuidCreator.getTimeOrderedEpochFast().toString();
    }

    static String of(RoutingContext ctx) {
        return ctx.response().headers().get(HEADER);
    }
}
