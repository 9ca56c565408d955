package dev.vestibule.webhook;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** {@code POST /v1/dashboard/webhooks}: makes an endpoint, and shows its signing secret this once. */
public final class CreateWebhookHandler implements ApiHandler {
    private record Wish(String url, List<String> events) {}

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
    private final Clock clock;

    CreateWebhookHandler(
            Database database,
            ProjectStore projects,
            WebhookStore endpoints,
            TargetCheck targets,
            int maxEndpoints,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.endpoints = endpoints;
        this.targets = targets;
        this.maxEndpoints = maxEndpoints;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var wish = Fields.read(
                Body.of(ctx),
                fields -> new Wish(
                        fields.required("url", targets::url), fields.required("events", WebhookFields.EVENTS)));
        var secret = SigningSecret.generate();
        return targets.check(wish.url())
                .compose(checked -> database.inTransaction(transaction -> create(transaction, project, wish, secret)))
                .map(webhook -> Reply.created(answer(webhook, secret)));
    }

    /** The lock makes the count hold. */
    private Future<Webhook> create(SqlClient transaction, ProjectId project, Wish wish, SigningSecret secret) {
        var now = clock.instant();
        var webhook = new Webhook(WebhookId.next(), wish.url(), wish.events(), Webhook.Status.ACTIVE, null, now, now);
        return projects.lock(transaction, project)
                .compose(locked -> endpoints.count(transaction, project))
                .compose(count -> count < maxEndpoints
                        ? endpoints.insert(transaction, project, webhook, secret)
                        : Future.failedFuture(ApiError.conflict("The project has " + maxEndpoints
                                + " webhooks, which is the most. Delete one that is not used.")))
                .map(inserted -> webhook);
    }

    private static Response answer(Webhook webhook, SigningSecret secret) {
        return new Response(
                webhook.id(), webhook.url(), webhook.events(), secret.text(), webhook.status(), webhook.createdAt());
    }
}
