package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** One operation of the API. An implementation holds its collaborators and no state of any request. */
@FunctionalInterface
public interface ApiHandler {
    /** Handles the request; {@link FailureHandler} turns a failed future into an error response. */
    Future<Reply> handle(RoutingContext ctx);
}
