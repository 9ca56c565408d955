package dev.vestibule.http;

import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Marks that a request is read in full and an operation has begun: what fails from here on is ours, not the client's. */
public final class Operation {
    private static final String NAME = Operation.class.getName();

    private Operation() {}

    /** To be called by the first handler behind the body, on the operation's own route. */
    public static void begin(RoutingContext ctx) {
        ctx.put(NAME, ctx.currentRoute().getName());
    }

    /** Method and path template; null while the request is still being read. */
    static @Nullable String name(RoutingContext ctx) {
        return ctx.get(NAME);
    }
}
