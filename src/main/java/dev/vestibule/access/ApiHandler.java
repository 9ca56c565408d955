package dev.vestibule.access;

import dev.vestibule.http.Reply;
import io.vertx.core.Future;

/** One operation of the API. An implementation holds its collaborators and no state of any request. */
@FunctionalInterface
public interface ApiHandler {
    /** Handles the request; a failed future becomes an error response. */
    Future<Reply> handle(ApiRequest request);
}
