package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookStore.Update;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Optional;

/**
 * {@code PATCH /v1/dashboard/webhooks/:webhookId}: changes the fields that are given, for deliveries that are not under way.
 * When an endpoint becomes active, what waited for it is sent.
 */
public final class UpdateWebhookHandler implements ApiHandler {
    private record Response(boolean success, Webhook webhook) {}

    private final ProjectChanges changes;
    private final WebhookStore endpoints;
    private final TargetCheck targets;
    private final EventOutbox outbox;
    private final Clock clock;

    UpdateWebhookHandler(
            ProjectChanges changes, WebhookStore endpoints, TargetCheck targets, EventOutbox outbox, Clock clock) {
        this.changes = changes;
        this.endpoints = endpoints;
        this.targets = targets;
        this.outbox = outbox;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var update = WebhookFields.read(Body.of(ctx), this::update);
        return check(update)
                .compose(checked -> update(project, webhook, update))
                .map(found -> found.orElseThrow(WebhookErrors::notFound))
                .onSuccess(this::deliverWaiting)
                .map(updated -> Reply.ok(new Response(true, updated)));
    }

    private Update update(Fields fields) {
        return new Update(
                fields.replacement("url", targets::url),
                fields.replacement("events", WebhookFields.EVENTS),
                fields.replacement("status", Webhook.Status::of));
    }

    private Future<Void> check(Update update) {
        var url = update.url().value();
        return url == null ? Future.succeededFuture() : targets.check(url);
    }

    private Future<Optional<Webhook>> update(ProjectId project, WebhookId webhook, Update update) {
        return changes.inTransaction(
                project, transaction -> endpoints.update(transaction, project, webhook, update, clock.instant()));
    }

    private void deliverWaiting(Webhook updated) {
        if (updated.status() == Webhook.Status.ACTIVE) {
            outbox.wakeUp();
        }
    }
}
