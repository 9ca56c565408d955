package dev.vestibule.webhook;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;

/**
 * {@code POST /v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry}: sends a delivery again, now, even if it was
 * delivered before. All its attempts start over; the id stays the same, so the receiver can recognize it.
 */
public final class RetryDeliveryHandler implements ApiHandler {
    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;
    private final EventOutbox outbox;
    private final Auditor audit;
    private final Clock clock;

    RetryDeliveryHandler(
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
        var delivery = PathId.of(ctx, "deliveryId");
        var trail = audit.of(ctx);
        return endpoints
                .find(database.writes(), project, webhook)
                .map(found -> requireActive(found.orElseThrow(WebhookErrors::notFound)))
                .compose(active -> retry(trail, project, webhook, delivery))
                .compose(isDue -> find(project, webhook, delivery, isDue))
                .onSuccess(waiting -> outbox.wakeUp())
                .map(waiting -> Reply.ok(new DeliveryResponse(true, waiting)));
    }

    private Future<Boolean> retry(AuditTrail trail, ProjectId project, WebhookId webhook, UUID delivery) {
        return database.inTransaction(transaction -> log.retry(transaction, project, webhook, delivery, clock.instant())
                .compose(isDue -> isDue
                        ? trail.record(
                                        transaction,
                                        AuditEvent.WEBHOOK_DELIVERY_RETRIED,
                                        Target.webhook(webhook.value()),
                                        Map.of("deliveryId", delivery))
                                .map(true)
                        : Future.succeededFuture(false)));
    }

    private static Webhook requireActive(Webhook webhook) {
        if (webhook.status() != Webhook.Status.ACTIVE) {
            throw WebhookErrors.disabled();
        }
        return webhook;
    }

    private Future<Delivery> find(ProjectId project, WebhookId webhook, UUID delivery, boolean isDue) {
        return log.find(database.writes(), project, webhook, delivery).map(found -> {
            var known = found.orElseThrow(WebhookErrors::deliveryNotFound);
            if (!isDue) {
                throw ApiException.conflict("The delivery is being sent right now. Try again in a minute.");
            }
            return known;
        });
    }
}
