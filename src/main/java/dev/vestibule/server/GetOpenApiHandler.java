package dev.vestibule.server;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code GET /v1/openapi.json}: the description of this API (OpenAPI 3.1). */
public final class GetOpenApiHandler implements ApiHandler {
    private final Reply description;

    public GetOpenApiHandler(Buffer json) {
        this.description = new Reply(
                200, json, Map.of("Content-Type", "application/json", "Cache-Control", "public, max-age=300"));
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(description);
    }
}
