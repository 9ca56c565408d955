package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/dashboard/projects/:projectId}: a project's settings. */
public final class GetProjectHandler implements ApiHandler {
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return Future.succeededFuture(Reply.ok(
                ProjectResponse.of(Caller.project(ctx), Caller.role(ctx).text())));
    }
}
