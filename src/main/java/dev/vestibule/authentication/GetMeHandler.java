package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/me}: the signed-in user. */
public final class GetMeHandler implements ApiHandler {
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(Reply.ok(Caller.user(ctx).user()));
    }
}
