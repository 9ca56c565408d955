package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.Counted;
import dev.vestibule.telemetry.metrics.WebhookMeters;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.delivery.ResultStore.EndpointHealth;
import dev.vestibule.webhook.delivery.ResultStore.Result;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the results of attempts and writes them in batches, with what they say about the health of endpoints. */
public final class ResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResultWriter.class);
    private static final int BATCH = 1000;
    private static final Comparator<EndpointHealth> BY_KEY = Comparator.comparing(
                    (EndpointHealth health) -> health.endpoint().project().toString())
            .thenComparing(health -> health.endpoint().id().toString());

    private final ResultStore store = new ResultStore();
    private final RetrySchedule schedule;
    private final Database database;
    private final ProjectChanges changes;
    private final Duration disableAfter;
    private final WebhookMeters meters;
    private final Activity activity;
    private final Clock clock;
    private List<Result> pending = new ArrayList<>();

    public ResultWriter(
            RetrySchedule schedule,
            Database database,
            ProjectChanges changes,
            Duration disableAfter,
            WebhookMeters meters,
            Activity activity,
            Clock clock) {
        this.schedule = schedule;
        this.database = database;
        this.changes = changes;
        this.disableAfter = disableAfter;
        this.meters = meters;
        this.activity = activity;
        this.clock = clock;
    }

    int size() {
        return pending.size();
    }

    void add(Attempt attempt) {
        Optional<Instant> next = attempt.isDelivered()
                ? Optional.empty()
                : schedule.next(attempt.claim().attempts() + 1, attempt.endedAt(), attempt.retryAfter());
        if (attempt.isDelivered()) {
            meters.delivered();
        } else {
            meters.failed(next.isEmpty());
        }
        activity.count(
                attempt.claim().endpoint().project(),
                attempt.isDelivered() ? Counted.WEBHOOKS_DELIVERED : Counted.WEBHOOKS_FAILED);
        pending.add(new Result(attempt, next.orElse(null)));
    }

    /** Writes one batch; if that fails, the results stay for the next call. */
    Future<Void> write() {
        if (pending.isEmpty()) {
            return Future.succeededFuture();
        }
        var batch = List.copyOf(pending.subList(0, Math.min(BATCH, pending.size())));
        pending = new ArrayList<>(pending.subList(batch.size(), pending.size()));
        return database.withRecentPlans(db -> store.record(db, batch))
                .onFailure(failure -> pending.addAll(0, batch))
                .compose(done -> updateHealth(batch));
    }

    /** If it fails, the endpoint's next result causes the same update. */
    private Future<Void> updateHealth(List<Result> batch) {
        var now = clock.instant();
        var failingTooLong = now.minus(disableAfter);
        Map<WebhookId, EndpointHealth> healths = new LinkedHashMap<>();
        for (var result : batch) {
            if (result.attempt().wasSent()) {
                healths.merge(result.attempt().claim().endpoint().id(), health(result.attempt()), ResultWriter::merge);
            }
        }
        var changed = healths.values().stream()
                .filter(health -> isChange(health, failingTooLong))
                .sorted(BY_KEY)
                .toList();
        return changed.isEmpty()
                ? Future.succeededFuture()
                : database.withRecentPlans(db -> store.updateHealth(db, changed, failingTooLong, now))
                        .compose(disabled -> announceDisabled(changed.stream()
                                .map(EndpointHealth::endpoint)
                                .filter(endpoint -> disabled.contains(endpoint.id()))
                                .toList()));
    }

    private static EndpointHealth health(Attempt attempt) {
        var delivered = attempt.isDelivered();
        return new EndpointHealth(
                attempt.claim().endpoint(), delivered, delivered ? null : attempt.endedAt(), attempt.isGone());
    }

    private static EndpointHealth merge(EndpointHealth earlier, EndpointHealth later) {
        return new EndpointHealth(
                later.endpoint(),
                earlier.hasSucceeded() || later.hasSucceeded(),
                later.hasSucceeded() || earlier.failedAt() == null ? later.failedAt() : earlier.failedAt(),
                earlier.isGone() || later.isGone());
    }

    /** Compares the health with what the claim read: an endpoint whose health does not change costs no statement. */
    private static boolean isChange(EndpointHealth health, Instant failingTooLong) {
        var failingSince = health.endpoint().failingSince();
        return health.isGone()
                || (health.hasSucceeded()
                        ? failingSince != null || health.failedAt() != null
                        : failingSince == null || !failingSince.isAfter(failingTooLong));
    }

    /** Tells all nodes, so that they drop the deliveries that they hold for these endpoints. */
    private Future<Void> announceDisabled(List<Endpoint> disabled) {
        for (var endpoint : disabled) {
            meters.disabled();
            LOG.info(
                    "Webhook {} of project {} is disabled: its endpoint answered 410 or has only failed for too long;"
                            + " its owner can enable it again",
                    endpoint.id(),
                    endpoint.project());
        }
        return Future.join(disabled.stream()
                        .map(endpoint ->
                                changes.inTransaction(endpoint.project(), transaction -> Future.succeededFuture()))
                        .toList())
                .mapEmpty();
    }
}
