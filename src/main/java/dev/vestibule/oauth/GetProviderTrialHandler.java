package dev.vestibule.oauth;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code GET /v1/dashboard/projects/:projectId/providers/:provider/test}: what came of the last trial. */
public final class GetProviderTrialHandler implements ApiHandler {
    private final Database database;
    private final ProviderTrialStore store;
    private final Clock clock;

    GetProviderTrialHandler(Database database, ProviderTrialStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        return store.find(database.writes(), project, provider, clock.instant())
                .map(found -> Reply.ok(found.orElseThrow(
                        () -> ApiException.notFound("There is no test of this provider, or it is over."))));
    }
}
