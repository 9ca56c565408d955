package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/dashboard/webhooks/:webhookId}: one endpoint, without its secret. */
public final class GetWebhookHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;

    public GetWebhookHandler(Database database, WebhookStore endpoints) {
        this.database = database;
        this.endpoints = endpoints;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        return endpoints
                .find(database.writes(), project, webhook)
                .map(found -> Reply.ok(found.orElseThrow(WebhookErrors::notFound)));
    }
}
