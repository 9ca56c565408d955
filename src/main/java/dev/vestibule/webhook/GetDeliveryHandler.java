package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId}: one delivery, with the payload as it is sent. */
public final class GetDeliveryHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;

    GetDeliveryHandler(Database database, WebhookStore endpoints, DeliveryLogStore log) {
        this.database = database;
        this.endpoints = endpoints;
        this.log = log;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var delivery = PathId.of(ctx, "deliveryId");
        return endpoints
                .find(database.writes(), project, webhook)
                .map(found -> found.orElseThrow(WebhookErrors::notFound))
                .compose(found -> log.find(database.writes(), project, webhook, delivery))
                .map(found -> Reply.ok(found.orElseThrow(WebhookErrors::deliveryNotFound)));
    }
}
