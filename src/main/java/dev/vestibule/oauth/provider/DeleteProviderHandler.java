package dev.vestibule.oauth.provider;

import dev.vestibule.access.Caller;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectChanges;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code DELETE /v1/dashboard/projects/:projectId/providers/:provider}: deletes a project's settings of a provider. */
public final class DeleteProviderHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final ProviderStore store;

    public DeleteProviderHandler(ProjectChanges changes, ProviderStore store) {
        this.changes = changes;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        return changes.inTransaction(project, transaction -> store.delete(transaction, project, provider))
                .map(isDeleted -> {
                    if (!isDeleted) {
                        throw ApiException.notFound("The provider is not set up.");
                    }
                    return Reply.ok(Map.of("success", true));
                });
    }
}
