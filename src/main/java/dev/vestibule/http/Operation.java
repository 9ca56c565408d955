package dev.vestibule.http;

import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Marks that a request is read and its operation has begun: from here on an unexpected failure is the server's fault. */
public final class Operation {
    private static final String NAME = Operation.class.getName();

    private Operation() {}

    /** Called by the first handler after the body handler, on the operation's own route. */
    public static void begin(RoutingContext ctx) {
        ctx.put(NAME, ctx.currentRoute().getName());
    }

    /** Method and path template, or null while the request is still being read. */
    static @Nullable String name(RoutingContext ctx) {
        return ctx.get(NAME);
    }
}
