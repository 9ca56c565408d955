package dev.vestibule.webhook;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
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
import java.util.List;
import java.util.Map;

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
    private final Auditor audit;
    private final Clock clock;

    UpdateWebhookHandler(
            ProjectChanges changes,
            WebhookStore endpoints,
            TargetCheck targets,
            EventOutbox outbox,
            Auditor audit,
            Clock clock) {
        this.changes = changes;
        this.endpoints = endpoints;
        this.targets = targets;
        this.outbox = outbox;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var body = Body.of(ctx);
        var given = Body.names(body);
        var update = WebhookFields.read(body, this::update);
        var trail = audit.of(ctx);
        return check(update)
                .compose(checked -> update(trail, project, webhook, update, given))
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

    private Future<Webhook> update(
            AuditTrail trail, ProjectId project, WebhookId webhook, Update update, List<String> given) {
        return changes.inTransaction(
                project,
                transaction -> endpoints
                        .update(transaction, project, webhook, update, clock.instant())
                        .map(found -> found.orElseThrow(WebhookErrors::notFound))
                        .compose(updated -> trail.record(
                                        transaction,
                                        AuditEvent.WEBHOOK_UPDATED,
                                        Target.webhook(webhook.value()),
                                        Map.of("fields", given))
                                .map(updated)));
    }

    private void deliverWaiting(Webhook updated) {
        if (updated.status() == Webhook.Status.ACTIVE) {
            outbox.wakeUp();
        }
    }
}
