package dev.vestibule.token.template;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectChanges;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/backend/jwt-templates/:templateId}: the default's claims are in no new token from then on. */
public final class DeleteJwtTemplateHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final JwtTemplateStore templates;

    DeleteJwtTemplateHandler(ProjectChanges changes, JwtTemplateStore templates) {
        this.changes = changes;
        this.templates = templates;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var template = PathId.of(ctx, "templateId");
        return changes.inTransaction(
                        project,
                        transaction -> templates
                                .delete(transaction, project, template)
                                .map(deleted -> {
                                    if (!deleted) {
                                        throw JwtTemplateErrors.notFound();
                                    }
                                    return deleted;
                                }))
                .map(deleted -> Reply.success());
    }
}
