package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Takes every body for JSON, whatever it is declared as: {@code curl -d} and some clients call it a form, and a form is
 * what the body would then be parsed as.
 */
public final class JsonContentTypeHandler implements Handler<RoutingContext> {
    @Override
    public void handle(RoutingContext ctx) {
        ctx.request().headers().set(HttpHeaders.CONTENT_TYPE, Reply.JSON);
        ctx.next();
    }
}
