package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Rejects a path with invalid percent escapes with a 400; otherwise the router would fail to match it and answer with
 * a 500.
 */
public final class PathEscapesHandler implements Handler<RoutingContext> {
    @Override
    public void handle(RoutingContext ctx) {
        try {
            ctx.normalizedPath();
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.of(ErrorCode.BAD_REQUEST, "The path has an invalid percent escape.");
        }
        ctx.next();
    }
}
