package dev.vestibule.webhooks;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.WebhookStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/dashboard/webhooks/:webhookId}: what waits for the endpoint is dropped with it. */
public final class DeleteWebhookHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;

    public DeleteWebhookHandler(Database database, WebhookStore endpoints) {
        this.database = database;
        this.endpoints = endpoints;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        return endpoints.delete(database.writes(), project, webhook).map(isDeleted -> {
            if (!isDeleted) {
                throw WebhookRefusals.unknown();
            }
            return Reply.success();
        });
    }
}
