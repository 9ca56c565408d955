package dev.vestibule.server;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

/**
 * A router for each beginning of a path, such as {@code /v1/auth/me}. A router compares a request with one route after
 * the other, and most routes with parameters by a regular expression: with all in one, finding an operation took longer
 * than some operations do.
 */
final class RoutersByPath {
    private static final int LONGEST = 3;

    private final Vertx vertx;
    private final Map<String, Router> routers = new HashMap<>();

    RoutersByPath(Vertx vertx) {
        this.vertx = vertx;
    }

    /** The router for a path template. */
    Router of(String template) {
        var segments = LONGEST;
        while (!isLiteral(beginning(template, segments))) {
            segments--;
        }
        return routers.computeIfAbsent(beginning(template, segments), unknown -> Router.router(vertx));
    }

    private static boolean isLiteral(String beginning) {
        return beginning.indexOf(':') < 0 && beginning.indexOf('*') < 0;
    }

    /** Sends requests to them, the longer beginning first; what none of them answers goes on. */
    void mount(Router router) {
        for (var segments = LONGEST; segments >= 0; segments--) {
            var length = segments;
            router.route().handler(ctx -> route(ctx, length));
        }
    }

    private void route(RoutingContext ctx, int segments) {
        var router = routers.get(beginning(ctx.normalizedPath(), segments));
        if (router == null) {
            ctx.next();
        } else {
            router.handleContext(ctx);
        }
    }

    /** The first segments of a path, or all if there are fewer, without a slash at the end. */
    private static String beginning(String path, int segments) {
        var end = 0;
        for (var i = 0; i < segments && end >= 0; i++) {
            end = path.indexOf('/', end + 1);
        }
        var beginning = end < 0 ? path : path.substring(0, end);
        return beginning.endsWith("/") ? beginning.substring(0, beginning.length() - 1) : beginning;
    }
}
