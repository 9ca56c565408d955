package dev.vestibule.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Body;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.webhook.WebhookStore.Update;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Webhook endpoints, {@code /v1/dashboard/webhooks}: one method per operation. */
public final class WebhookHandler {
    private static final int MAX_EVENTS = 100;

    /** Kinds of events, or {@code *}; a duplicate counts once. */
    private static final FieldType<List<String>> EVENTS = FieldType.strings(1, MAX_EVENTS, EventKind::subscribable);

    private static final Duration SECRET_OVERLAP = Duration.ofHours(24);

    private final Database database;
    private final ProjectChanges changes;
    private final ProjectStore projects = new ProjectStore();
    private final WebhookStore endpoints;
    private final DeliveryLogStore log;
    private final TargetCheck targets;
    private final int maxEndpoints;
    private final Journal outbox;
    private final Clock clock;

    WebhookHandler(
            Database database,
            ProjectChanges changes,
            WebhookStore endpoints,
            DeliveryLogStore log,
            TargetCheck targets,
            int maxEndpoints,
            Journal outbox,
            Clock clock) {
        this.database = database;
        this.changes = changes;
        this.endpoints = endpoints;
        this.log = log;
        this.targets = targets;
        this.maxEndpoints = maxEndpoints;
        this.outbox = outbox;
        this.clock = clock;
    }

    private record WebhookPage(List<Webhook> webhooks, long total) {}

    /** {@code GET /v1/dashboard/webhooks}: a page of the project's endpoints, newest first, without their secrets. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var page = request.query(Query::page);
        var total = endpoints.count(database.writes(), project);
        return endpoints
                .list(database.writes(), project, page)
                .compose(found -> total.map(count -> Reply.ok(new WebhookPage(found, count))));
    }

    private record CreateRequest(String url, List<String> events) {}

    private record CreateResponse(
            WebhookId id,
            String url,
            List<String> events,
            String signingSecret,
            Webhook.Status status,
            Instant createdAt) {
        @Override
        public String toString() {
            return "CreateResponse[" + id + "]";
        }
    }

    /** {@code POST /v1/dashboard/webhooks}: creates an endpoint and shows its signing secret, only once. */
    public Future<Reply> create(ApiRequest request) {
        var project = request.project().id();
        var input = read(
                request.body(),
                fields -> new CreateRequest(fields.required("url", targets::url), fields.required("events", EVENTS)));
        var secret = SigningSecret.generate();
        var trail = request.trail();
        return targets.check(input.url())
                .compose(checked ->
                        database.inTransaction(transaction -> create(trail, transaction, project, input, secret)))
                .map(webhook -> Reply.created(new CreateResponse(
                        webhook.id(),
                        webhook.url(),
                        webhook.events(),
                        secret.text(),
                        webhook.status(),
                        webhook.createdAt())));
    }

    /** Locks the project, so that two simultaneous requests cannot both take the last free place. */
    private Future<Webhook> create(
            Trail trail, SqlConnection transaction, ProjectId project, CreateRequest input, SigningSecret secret) {
        var now = clock.instant();
        var webhook = new Webhook(WebhookId.next(), input.url(), input.events(), Webhook.Status.ACTIVE, null, now, now);
        return projects.lock(transaction, project)
                .compose(locked -> endpoints.count(transaction, project))
                .compose(count -> count < maxEndpoints
                        ? endpoints.insert(transaction, project, webhook, secret)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "The project has " + maxEndpoints
                                        + " webhooks, as many as the server's setting webhooks.maxEndpoints allows."
                                        + " Delete one that is not used.")))
                .compose(inserted -> trail.record(transaction, Logged.WEBHOOK_CREATED, target(webhook.id())))
                .map(recorded -> webhook);
    }

    /** {@code GET /v1/dashboard/webhooks/:webhookId}: one endpoint, without its secret. */
    public Future<Reply> get(ApiRequest request) {
        var project = request.project().id();
        return endpoints.require(database.writes(), project, id(request)).map(Reply::ok);
    }

    private record UpdateResponse(boolean success, Webhook webhook) {}

    /**
     * {@code PATCH /v1/dashboard/webhooks/:webhookId}: changes the given fields, for deliveries that are not in flight.
     * When an endpoint becomes active, its waiting deliveries are sent.
     */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var webhook = id(request);
        var body = request.body();
        var given = Body.names(body);
        var update = read(
                body,
                fields -> new Update(
                        fields.replacement("url", targets::url),
                        fields.replacement("events", EVENTS),
                        fields.replacement("status", Webhook.Status::of)));
        var trail = request.trail();
        return check(update)
                .compose(checked -> update(trail, project, webhook, update, given))
                .onSuccess(updated -> {
                    if (updated.status() == Webhook.Status.ACTIVE) {
                        outbox.wakeUp();
                    }
                })
                .map(updated -> Reply.ok(new UpdateResponse(true, updated)));
    }

    private Future<Void> check(Update update) {
        var url = update.url().value();
        return url == null ? Future.succeededFuture() : targets.check(url);
    }

    private Future<Webhook> update(
            Trail trail, ProjectId project, WebhookId webhook, Update update, List<String> given) {
        return changes.inTransaction(
                project,
                transaction -> endpoints
                        .update(transaction, project, webhook, update, clock.instant())
                        .map(found -> found.orElseThrow(WebhookStore::notFound))
                        .compose(updated -> trail.record(
                                        transaction, Logged.WEBHOOK_UPDATED, target(webhook), Map.of("fields", given))
                                .map(updated)));
    }

    /** {@code DELETE /v1/dashboard/webhooks/:webhookId}: deletes the endpoint and its waiting deliveries. */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var webhook = id(request);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> endpoints
                                .delete(transaction, project, webhook)
                                .compose(isDeleted -> isDeleted
                                        ? trail.record(transaction, Logged.WEBHOOK_DELETED, target(webhook))
                                        : Future.failedFuture(WebhookStore.notFound())))
                .map(deleted -> Reply.success());
    }

    private record RotateResponse(WebhookId id, String signingSecret, Instant previousSecretExpiresAt) {
        @Override
        public String toString() {
            return "RotateResponse[" + id + "]";
        }
    }

    /**
     * {@code POST /v1/dashboard/webhooks/:webhookId/rotate-secret}: creates a new signing secret and shows it, only
     * once. For a day, deliveries are signed with the previous secret too, so that receivers can switch without
     * refusing any delivery.
     */
    public Future<Reply> rotateSecret(ApiRequest request) {
        var project = request.project().id();
        var webhook = id(request);
        var secret = SigningSecret.generate();
        var now = clock.instant();
        var previousExpiresAt = now.plus(SECRET_OVERLAP);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> endpoints
                                .rotate(transaction, project, webhook, secret, previousExpiresAt, now)
                                .compose(isFound -> isFound
                                        ? trail.record(transaction, Logged.WEBHOOK_SECRET_ROTATED, target(webhook))
                                        : Future.failedFuture(WebhookStore.notFound())))
                .map(rotated -> Reply.ok(new RotateResponse(webhook, secret.text(), previousExpiresAt)));
    }

    /** A requested delivery, which may still wait or be done already. */
    record SendResponse(boolean success, Delivery delivery) {}

    /** {@code POST /v1/dashboard/webhooks/:webhookId/test}: sends a test event to this endpoint only. */
    public Future<Reply> test(ApiRequest request) {
        var project = request.project().id();
        var webhook = id(request);
        var event = Event.test(project, clock.instant());
        return addTest(request.trail(), project, webhook, event)
                .compose(isAdded -> isAdded ? Future.succeededFuture() : refuse(project, webhook))
                .compose(added -> log.require(database.writes(), project, webhook, event.id()))
                .onSuccess(found -> outbox.wakeUp())
                .map(delivery -> Reply.ok(new SendResponse(true, delivery)));
    }

    private Future<Boolean> addTest(Trail trail, ProjectId project, WebhookId webhook, Event event) {
        return database.inTransaction(transaction -> log.add(transaction, project, webhook, event)
                .compose(isAdded -> isAdded
                        ? trail.record(transaction, Logged.WEBHOOK_TESTED, target(webhook))
                                .map(true)
                        : Future.succeededFuture(false)));
    }

    /** Fails because the endpoint takes no events. */
    private Future<Void> refuse(ProjectId project, WebhookId webhook) {
        return endpoints.require(database.writes(), project, webhook).map(found -> {
            throw disabled();
        });
    }

    static ApiException disabled() {
        return ApiException.of(
                ErrorCode.WEBHOOK_DISABLED, "The webhook is disabled. Set its status to active to send to it.");
    }

    static WebhookId id(ApiRequest request) {
        return new WebhookId(request.pathId("webhookId"));
    }

    static Target target(WebhookId webhook) {
        return Target.webhook(webhook.value());
    }

    /** Reads a body that may also name the project, which the guard has compared with the caller's. */
    private static <T> T read(ObjectNode body, Function<Fields, T> reader) {
        return Fields.readStrictly(body, fields -> {
            fields.ignore("projectId");
            return reader.apply(fields);
        });
    }
}
