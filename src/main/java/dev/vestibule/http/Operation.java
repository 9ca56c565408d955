package dev.vestibule.http;

import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Marks that the router has found a request's operation: from then on, an unexpected failure is the server's fault. */
public final class Operation {
    private static final String NAME = Operation.class.getName();

    private Operation() {}

    /** Called by the guard, on the operation's own route. */
    public static void begin(RoutingContext ctx) {
        var name = ctx.currentRoute().getName();
        ctx.put(NAME, name);
        RequestRecord.of(ctx.request()).found(name);
    }

    /** Method and path template, or null until the router has found the operation. */
    static @Nullable String name(RoutingContext ctx) {
        return ctx.get(NAME);
    }
}
