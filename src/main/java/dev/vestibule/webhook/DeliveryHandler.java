package dev.vestibule.webhook;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deliveries to an endpoint, {@code /v1/dashboard/webhooks/:webhookId/deliveries}: one method per operation. */
public final class DeliveryHandler {
    private static final int MAX_RETRIED = 1_000;

    private final Database database;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;
    private final Journal outbox;
    private final Clock clock;

    DeliveryHandler(Database database, WebhookStore endpoints, DeliveryLogStore log, Journal outbox, Clock clock) {
        this.database = database;
        this.endpoints = endpoints;
        this.log = log;
        this.outbox = outbox;
        this.clock = clock;
    }

    private record ListRequest(Page page, Delivery.@Nullable Status status) {}

    private record DeliveryPage(List<Delivery> deliveries, long total) {}

    /** {@code GET …/deliveries}: a page of the endpoint's deliveries, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var webhook = WebhookHandler.id(request);
        var input = request.query(
                fields -> new ListRequest(Query.page(fields), fields.optional("status", Delivery.Status::of)));
        return endpoints
                .require(database.writes(), project, webhook)
                .compose(found -> list(project, webhook, input))
                .map(Reply::ok);
    }

    private Future<DeliveryPage> list(ProjectId project, WebhookId webhook, ListRequest input) {
        var total = log.total(database.writes(), project, webhook, input.status());
        return log.list(database.writes(), project, webhook, input.status(), input.page())
                .compose(found -> total.map(count -> new DeliveryPage(found, count)));
    }

    /** {@code GET …/deliveries/:deliveryId}: one delivery, with the payload as it is sent. */
    public Future<Reply> get(ApiRequest request) {
        var project = request.project().id();
        var webhook = WebhookHandler.id(request);
        var delivery = request.pathId("deliveryId");
        return endpoints
                .require(database.writes(), project, webhook)
                .compose(found -> log.require(database.writes(), project, webhook, delivery))
                .map(Reply::ok);
    }

    /**
     * {@code POST …/deliveries/:deliveryId/retry}: sends a delivery again now, even if it was delivered before. Its
     * attempts start over; the id stays the same, so the receiver can recognize it.
     */
    public Future<Reply> retry(ApiRequest request) {
        var project = request.project().id();
        var webhook = WebhookHandler.id(request);
        var delivery = request.pathId("deliveryId");
        var trail = request.trail();
        return endpoints
                .require(database.writes(), project, webhook)
                .map(DeliveryHandler::requireActive)
                .compose(active -> retry(trail, project, webhook, delivery))
                .compose(isDue -> find(project, webhook, delivery, isDue))
                .onSuccess(waiting -> outbox.wakeUp())
                .map(waiting -> Reply.ok(new WebhookHandler.SendResponse(true, waiting)));
    }

    private record RetriedResponse(int retried, long remaining) {}

    /**
     * {@code POST …/deliveries/retry}: sends up to {@value #MAX_RETRIED} dead deliveries again now, the oldest first,
     * and says how many are left, for the next call.
     */
    public Future<Reply> retryDead(ApiRequest request) {
        var project = request.project().id();
        var webhook = WebhookHandler.id(request);
        var trail = request.trail();
        return endpoints
                .require(database.writes(), project, webhook)
                .map(DeliveryHandler::requireActive)
                .compose(active -> retryDead(trail, project, webhook))
                .onSuccess(retried -> outbox.wakeUp())
                .compose(retried -> log.total(database.writes(), project, webhook, Delivery.Status.DEAD)
                        .map(remaining -> Reply.ok(new RetriedResponse(retried, remaining))));
    }

    private Future<Integer> retryDead(Trail trail, ProjectId project, WebhookId webhook) {
        return database.inTransaction(transaction -> log.retryDead(
                        transaction, project, webhook, clock.instant(), MAX_RETRIED)
                .compose(retried -> retried == 0
                        ? Future.succeededFuture(0)
                        : trail.record(
                                        transaction,
                                        Logged.WEBHOOK_DELIVERIES_RETRIED,
                                        WebhookHandler.target(webhook),
                                        Map.of("deliveries", retried))
                                .map(retried)));
    }

    private static Webhook requireActive(Webhook webhook) {
        if (webhook.status() != Webhook.Status.ACTIVE) {
            throw WebhookHandler.disabled();
        }
        return webhook;
    }

    private Future<Boolean> retry(Trail trail, ProjectId project, WebhookId webhook, UUID delivery) {
        return database.inTransaction(transaction -> log.retry(transaction, project, webhook, delivery, clock.instant())
                .compose(isDue -> isDue
                        ? trail.record(
                                        transaction,
                                        Logged.WEBHOOK_DELIVERY_RETRIED,
                                        WebhookHandler.target(webhook),
                                        Map.of("deliveryId", delivery))
                                .map(true)
                        : Future.succeededFuture(false)));
    }

    private Future<Delivery> find(ProjectId project, WebhookId webhook, UUID delivery, boolean isDue) {
        return log.require(database.writes(), project, webhook, delivery).map(known -> {
            if (!isDue) {
                throw ApiException.of(
                        ErrorCode.DELIVERY_IN_PROGRESS, "The delivery is being sent right now. Try again in a minute.");
            }
            return known;
        });
    }
}
