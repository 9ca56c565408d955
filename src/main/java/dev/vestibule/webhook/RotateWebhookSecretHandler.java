package dev.vestibule.webhook;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectChanges;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * {@code POST /v1/dashboard/webhooks/:webhookId/rotate-secret}: creates a new signing secret and shows it, only this
 * once. For a day, deliveries are signed with the previous secret too, so that receivers can switch without refusing any.
 */
public final class RotateWebhookSecretHandler implements ApiHandler {
    private static final Duration OVERLAP = Duration.ofHours(24);

    private record Response(WebhookId id, String signingSecret, Instant previousSecretExpiresAt) {
        @Override
        public String toString() {
            return "Response[" + id + "]";
        }
    }

    private final ProjectChanges changes;
    private final WebhookStore endpoints;
    private final Auditor audit;
    private final Clock clock;

    public RotateWebhookSecretHandler(ProjectChanges changes, WebhookStore endpoints, Auditor audit, Clock clock) {
        this.changes = changes;
        this.endpoints = endpoints;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var webhook = new WebhookId(PathId.of(ctx, "webhookId"));
        var secret = SigningSecret.generate();
        var now = clock.instant();
        var previousExpiresAt = now.plus(OVERLAP);
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project,
                        transaction -> endpoints
                                .rotate(transaction, project, webhook, secret, previousExpiresAt, now)
                                .compose(isFound -> isFound
                                        ? trail.record(
                                                transaction,
                                                AuditEvent.WEBHOOK_SECRET_ROTATED,
                                                Target.webhook(webhook.value()))
                                        : Future.failedFuture(WebhookErrors.notFound())))
                .map(rotated -> Reply.ok(new Response(webhook, secret.text(), previousExpiresAt)));
    }
}
