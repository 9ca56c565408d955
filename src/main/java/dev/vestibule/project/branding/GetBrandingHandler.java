package dev.vestibule.project.branding;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/branding}: the branding of the project whose key is sent. */
public final class GetBrandingHandler implements ApiHandler {
    private final Database database;
    private final BrandingCache brandings;

    public GetBrandingHandler(Database database, BrandingCache brandings) {
        this.database = database;
        this.brandings = brandings;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return brandings
                .find(database.reads(), Caller.project(ctx).id())
                .map(found ->
                        found.orElseThrow(() -> ApiException.unauthorized("The API key is invalid or was deleted.")));
    }
}
