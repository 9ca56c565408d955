package dev.vestibule.token.template;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
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
    private final Auditor audit;

    DeleteJwtTemplateHandler(ProjectChanges changes, JwtTemplateStore templates, Auditor audit) {
        this.changes = changes;
        this.templates = templates;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var template = PathId.of(ctx, "templateId");
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> templates
                                .delete(transaction, project, template)
                                .compose(deleted -> deleted
                                        ? trail.record(
                                                transaction,
                                                AuditEvent.JWT_TEMPLATE_DELETED,
                                                Target.jwtTemplate(template))
                                        : Future.failedFuture(JwtTemplateErrors.notFound())))
                .map(deleted -> Reply.success());
    }
}
