package dev.vestibule.webhook;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
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

/** {@code POST /v1/dashboard/webhooks/:webhookId/test}: sends a test event to this endpoint alone. */
public final class TestWebhookHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;
    private final EventOutbox outbox;
    private final Auditor audit;
    private final Clock clock;

    TestWebhookHandler(
            Database database,
            WebhookStore endpoints,
            DeliveryLogStore log,
            EventOutbox outbox,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.endpoints = endpoints;
        this.log = log;
        this.outbox = outbox;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var event = Event.test(project, clock.instant());
        return add(audit.of(ctx), project, webhook, event)
                .compose(isAdded -> isAdded ? Future.succeededFuture() : fail(project, webhook))
                .compose(added -> log.find(database.writes(), project, webhook, event.id()))
                .onSuccess(found -> outbox.wakeUp())
                .map(found -> found.orElseThrow(WebhookErrors::deliveryNotFound))
                .map(delivery -> Reply.ok(new DeliveryResponse(true, delivery)));
    }

    private Future<Boolean> add(AuditTrail trail, ProjectId project, WebhookId webhook, Event event) {
        return database.inTransaction(transaction -> log.add(transaction, project, webhook, event)
                .compose(isAdded -> isAdded
                        ? trail.record(transaction, AuditEvent.WEBHOOK_TESTED, Target.webhook(webhook.value()))
                                .map(true)
                        : Future.succeededFuture(false)));
    }

    private Future<Void> fail(ProjectId project, WebhookId webhook) {
        return endpoints.find(database.writes(), project, webhook).map(found -> {
            throw found.isEmpty() ? WebhookErrors.notFound() : WebhookErrors.disabled();
        });
    }
}
