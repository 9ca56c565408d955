package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Treats every body as JSON. {@code curl -d} and some clients send JSON with the content type of a form, and the body
 * handler would then parse it as a form.
 */
public final class JsonContentTypeHandler implements Handler<RoutingContext> {
    @Override
    public void handle(RoutingContext ctx) {
        ctx.request().headers().set(HttpHeaders.CONTENT_TYPE, Reply.JSON);
        ctx.next();
    }
}
