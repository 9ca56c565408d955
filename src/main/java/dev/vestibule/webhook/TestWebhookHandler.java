package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.event.Event;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code POST /v1/dashboard/webhooks/:webhookId/test}: sends an event that tells of nothing, to this endpoint alone. */
public final class TestWebhookHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;
    private final EventOutbox outbox;
    private final Clock clock;

    TestWebhookHandler(
            Database database, WebhookStore endpoints, DeliveryLogStore log, EventOutbox outbox, Clock clock) {
        this.database = database;
        this.endpoints = endpoints;
        this.log = log;
        this.outbox = outbox;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var event = Event.test(project, clock.instant());
        return log.tell(database.writes(), project, webhook, event)
                .compose(isTold -> isTold ? Future.succeededFuture() : refuse(project, webhook))
                .compose(told -> log.find(database.writes(), project, webhook, event.id()))
                .onSuccess(told -> outbox.wakeUp())
                .map(found -> found.orElseThrow(WebhookRefusals::unknownDelivery))
                .map(delivery -> Reply.ok(new SentDelivery(true, delivery)));
    }

    private Future<Void> refuse(ProjectId project, WebhookId webhook) {
        return endpoints.find(database.writes(), project, webhook).map(found -> {
            throw found.isEmpty() ? WebhookRefusals.unknown() : WebhookRefusals.disabled();
        });
    }
}
