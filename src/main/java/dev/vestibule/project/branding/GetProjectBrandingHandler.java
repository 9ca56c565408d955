package dev.vestibule.project.branding;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/dashboard/projects/:projectId/branding}: the branding, for the project's members. */
public final class GetProjectBrandingHandler implements ApiHandler {
    private final Database database;
    private final BrandingStore store;

    public GetProjectBrandingHandler(Database database, BrandingStore store) {
        this.database = database;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return store.find(database.writes(), Caller.project(ctx).id())
                .map(found -> Reply.ok(found.orElseThrow(() -> ApiException.notFound("There is no such project."))));
    }
}
