package dev.vestibule.webhook;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** {@code POST /v1/dashboard/webhooks}: creates an endpoint and shows its signing secret, only this once. */
public final class CreateWebhookHandler implements ApiHandler {
    private record CreateRequest(String url, List<String> events) {}

    private record Response(
            WebhookId id,
            String url,
            List<String> events,
            String signingSecret,
            Webhook.Status status,
            Instant createdAt) {
        @Override
        public String toString() {
            return "Response[" + id + "]";
        }
    }

    private final Database database;
    private final ProjectStore projects;
    private final WebhookStore endpoints;
    private final TargetCheck targets;
    private final int maxEndpoints;
    private final Auditor audit;
    private final Clock clock;

    CreateWebhookHandler(
            Database database,
            ProjectStore projects,
            WebhookStore endpoints,
            TargetCheck targets,
            int maxEndpoints,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.endpoints = endpoints;
        this.targets = targets;
        this.maxEndpoints = maxEndpoints;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var request = WebhookFields.read(
                Body.of(ctx),
                fields -> new CreateRequest(
                        fields.required("url", targets::url), fields.required("events", WebhookFields.EVENTS)));
        var secret = SigningSecret.generate();
        var trail = audit.of(ctx);
        return targets.check(request.url())
                .compose(checked ->
                        database.inTransaction(transaction -> create(trail, transaction, project, request, secret)))
                .map(webhook -> Reply.created(response(webhook, secret)));
    }

    /** Locks the project, so that two requests at once cannot both take the last place. */
    private Future<Webhook> create(
            AuditTrail trail,
            SqlConnection transaction,
            ProjectId project,
            CreateRequest request,
            SigningSecret secret) {
        var now = clock.instant();
        var webhook =
                new Webhook(WebhookId.next(), request.url(), request.events(), Webhook.Status.ACTIVE, null, now, now);
        return projects.lock(transaction, project)
                .compose(locked -> endpoints.count(transaction, project))
                .compose(count -> count < maxEndpoints
                        ? endpoints.insert(transaction, project, webhook, secret)
                        : Future.failedFuture(ApiException.conflict("The project has " + maxEndpoints
                                + " webhooks, as many as the server's setting webhooks.maxEndpoints allows."
                                + " Delete one that is not used.")))
                .compose(inserted -> trail.record(
                        transaction,
                        AuditEvent.WEBHOOK_CREATED,
                        Target.webhook(webhook.id().value())))
                .map(recorded -> webhook);
    }

    private static Response response(Webhook webhook, SigningSecret secret) {
        return new Response(
                webhook.id(), webhook.url(), webhook.events(), secret.text(), webhook.status(), webhook.createdAt());
    }
}
