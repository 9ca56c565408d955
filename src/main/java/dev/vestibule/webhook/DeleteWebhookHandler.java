package dev.vestibule.webhook;

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

/** {@code DELETE /v1/dashboard/webhooks/:webhookId}: deletes the endpoint and what waits for it. */
public final class DeleteWebhookHandler implements ApiHandler {
    private final ProjectChanges changes;
    private final WebhookStore endpoints;
    private final Auditor audit;

    public DeleteWebhookHandler(ProjectChanges changes, WebhookStore endpoints, Auditor audit) {
        this.changes = changes;
        this.endpoints = endpoints;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> endpoints
                                .delete(transaction, project, webhook)
                                .compose(isDeleted -> isDeleted
                                        ? trail.record(
                                                transaction,
                                                AuditEvent.WEBHOOK_DELETED,
                                                Target.webhook(webhook.value()))
                                        : Future.failedFuture(WebhookErrors.notFound())))
                .map(deleted -> Reply.success());
    }
}
