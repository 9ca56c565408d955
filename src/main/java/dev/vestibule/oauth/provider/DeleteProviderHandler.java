package dev.vestibule.oauth.provider;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
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
    private final Auditor audit;

    public DeleteProviderHandler(ProjectChanges changes, ProviderStore store, Auditor audit) {
        this.changes = changes;
        this.store = store;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> store.delete(transaction, project, provider)
                                .compose(isDeleted -> isDeleted
                                        ? trail.record(
                                                transaction,
                                                AuditEvent.PROVIDER_REMOVED,
                                                Target.project(project.value()),
                                                Map.of("provider", provider.name()))
                                        : Future.failedFuture(ApiException.notFound("The provider is not set up."))))
                .map(deleted -> Reply.ok(Map.of("success", true)));
    }
}
