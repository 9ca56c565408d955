package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/**
 * Handles the next request of a connection only when the client has read most of the previous responses. Otherwise a
 * client that pipelines requests and reads nothing could make the server hold any number of responses.
 */
public final class UnreadResponses implements Handler<HttpServerRequest> {
    private final Handler<HttpServerRequest> next;

    public UnreadResponses(Handler<HttpServerRequest> next) {
        this.next = next;
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (request.response().writeQueueFull()) {
            if (RequestBody.isAnnounced(request)) {
                request.pause(); // until a handler reads it
            }
            request.response().drainHandler(drained -> {
                request.response().drainHandler(null);
                next.handle(request);
            });
        } else {
            next.handle(request);
        }
    }
}
