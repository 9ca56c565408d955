package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
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

    public DeleteWebhookHandler(ProjectChanges changes, WebhookStore endpoints) {
        this.changes = changes;
        this.endpoints = endpoints;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        return changes.inTransaction(project, transaction -> endpoints.delete(transaction, project, webhook))
                .map(isDeleted -> {
                    if (!isDeleted) {
                        throw WebhookErrors.notFound();
                    }
                    return Reply.success();
                });
    }
}
