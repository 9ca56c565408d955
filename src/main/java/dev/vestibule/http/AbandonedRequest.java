package dev.vestibule.http;

import io.vertx.ext.web.RoutingContext;

/** Recognizes a request that nobody waits for any more. */
public final class AbandonedRequest {
    private AbandonedRequest() {}

    /** Whether the client has closed the connection, or the request took too long and was answered with a timeout. */
    public static boolean is(RoutingContext ctx) {
        return ctx.response().closed() || ctx.response().ended();
    }
}
