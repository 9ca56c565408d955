package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** One operation of the API: holds its collaborators and nothing of any request. */
@FunctionalInterface
public interface ApiHandler {
    /** Answers the request; a failure becomes the error body that fits it. */
    Future<Reply> handle(RoutingContext ctx);
}
