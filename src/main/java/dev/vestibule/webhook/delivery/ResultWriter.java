package dev.vestibule.webhook.delivery;

import dev.vestibule.database.Database;
import dev.vestibule.metrics.WebhookMeters;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.delivery.AttemptStore.Result;
import dev.vestibule.webhook.delivery.AttemptStore.Verdict;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what came of attempts, as many at once as there are, and what follows from it for the endpoints. */
public final class ResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResultWriter.class);
    private static final int BATCH = 1000;
    private static final Comparator<Verdict> IN_ORDER_OF_KEYS = Comparator.comparing(
                    (Verdict verdict) -> verdict.endpoint().project().toString())
            .thenComparing(verdict -> verdict.endpoint().id().toString());

    private final AttemptStore store = new AttemptStore();
    private final RetrySchedule schedule;
    private final Database database;
    private final ProjectChanges changes;
    private final Duration disableAfter;
    private final WebhookMeters meters;
    private final Clock clock;
    private List<Result> unwritten = new ArrayList<>();

    public ResultWriter(
            RetrySchedule schedule,
            Database database,
            ProjectChanges changes,
            Duration disableAfter,
            WebhookMeters meters,
            Clock clock) {
        this.schedule = schedule;
        this.database = database;
        this.changes = changes;
        this.disableAfter = disableAfter;
        this.meters = meters;
        this.clock = clock;
    }

    int size() {
        return unwritten.size();
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
        unwritten.add(new Result(attempt, next.orElse(null)));
    }

    /** Writes what there is; what cannot be written now stays. */
    Future<Void> write() {
        if (unwritten.isEmpty()) {
            return Future.succeededFuture();
        }
        var batch = unwritten.subList(0, Math.min(BATCH, unwritten.size()));
        var rest = unwritten.subList(batch.size(), unwritten.size());
        unwritten = new ArrayList<>(rest);
        var written = List.copyOf(batch);
        return database.withRecentPlans(db -> store.record(db, written))
                .onFailure(failure -> unwritten.addAll(0, written))
                .compose(done -> judge(written));
    }

    /** What is lost here by a failure comes again with the endpoint's next result. */
    private Future<Void> judge(List<Result> written) {
        var now = clock.instant();
        var failingTooLong = now.minus(disableAfter);
        Map<WebhookId, Verdict> verdicts = new LinkedHashMap<>();
        for (var result : written) {
            if (result.attempt().kind() != Attempt.Kind.NOT_MADE) {
                verdicts.merge(
                        result.attempt().claim().endpoint().id(), verdict(result.attempt()), ResultWriter::together);
            }
        }
        var news = verdicts.values().stream()
                .filter(verdict -> isNews(verdict, failingTooLong))
                .sorted(IN_ORDER_OF_KEYS)
                .toList();
        return news.isEmpty()
                ? Future.succeededFuture()
                : database.withRecentPlans(db -> store.judge(db, news, failingTooLong, now))
                        .compose(disabled -> tellOf(news.stream()
                                .map(Verdict::endpoint)
                                .filter(endpoint -> disabled.contains(endpoint.id()))
                                .toList()));
    }

    private static Verdict verdict(Attempt attempt) {
        var delivered = attempt.isDelivered();
        return new Verdict(
                attempt.claim().endpoint(), delivered, delivered ? null : attempt.endedAt(), attempt.isGone());
    }

    private static Verdict together(Verdict earlier, Verdict later) {
        return new Verdict(
                later.endpoint(),
                earlier.hasSucceeded() || later.hasSucceeded(),
                later.hasSucceeded() ? null : firstOf(earlier.failedAt(), later.failedAt()),
                earlier.isGone() || later.isGone());
    }

    private static @Nullable Instant firstOf(@Nullable Instant earlier, @Nullable Instant later) {
        return earlier == null ? later : earlier;
    }

    /** As far as the claims knew: an endpoint that fares as ever costs no statement. */
    private static boolean isNews(Verdict verdict, Instant failingTooLong) {
        var failingSince = verdict.endpoint().failingSince();
        return verdict.isGone()
                || (verdict.hasSucceeded()
                        ? failingSince != null || verdict.failedAt() != null
                        : failingSince == null || !failingSince.isAfter(failingTooLong));
    }

    /** Every node drops what it holds for them. */
    private Future<Void> tellOf(List<Endpoint> disabled) {
        for (var endpoint : disabled) {
            meters.disabled();
            LOG.info(
                    "Webhook {} of project {} is disabled: its endpoint is gone, or has failed for too long",
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
