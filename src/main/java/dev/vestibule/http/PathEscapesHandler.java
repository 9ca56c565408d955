package dev.vestibule.http;

import dev.vestibule.error.ApiError;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Refuses a path whose escapes cannot be decoded, before a route tries to match it and fails as if we were broken. */
public final class PathEscapesHandler implements Handler<RoutingContext> {
    @Override
    public void handle(RoutingContext ctx) {
        try {
            ctx.normalizedPath();
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiError.badRequest("The path has an invalid percent escape.");
        }
        ctx.next();
    }
}
