package dev.vestibule.oauth;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;

/** {@code GET /v1/auth/providers}: the identity providers that a project has enabled, which so far is none. */
public final class ListProvidersHandler implements ApiHandler {
    private record Answer(List<String> providers, Map<String, Object> providerConfigs) {}

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(Reply.ok(new Answer(List.of(), Map.of())));
    }
}
