package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** The headers that every answer of a JSON API should carry (OWASP REST Security Cheat Sheet). */
public final class SecurityHeaders implements Handler<RoutingContext> {
    @Override
    public void handle(RoutingContext ctx) {
        ctx.response()
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .putHeader("Referrer-Policy", "no-referrer");
        ctx.next();
    }
}
