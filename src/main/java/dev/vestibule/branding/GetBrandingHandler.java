package dev.vestibule.branding;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/branding}: how the project's login interface looks. */
public final class GetBrandingHandler implements ApiHandler {
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(
                Reply.ok(Branding.ofNew(CallerHandler.project(ctx).name())));
    }
}
