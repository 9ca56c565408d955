package dev.vestibule.webhook.delivery;

import dev.vestibule.config.WebhookSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.NodeLease;
import dev.vestibule.telemetry.metrics.WebhookMeters;
import dev.vestibule.webhook.delivery.ClaimStore.ClaimBatch;
import dev.vestibule.webhook.delivery.ClaimStore.ClaimLimits;
import dev.vestibule.webhook.delivery.ClaimStore.EndpointCursor;
import dev.vestibule.webhook.delivery.ClaimStore.Holder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the deliveries that are due. Three tasks run concurrently, each at its own pace: claiming, sending, and writing
 * results. All of them run on one context.
 */
public final class Deliverer {
    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);
    private static final Duration CLAIM_PAUSE = Duration.ofMillis(10);
    private static final Duration RESULT_PAUSE = Duration.ofMillis(25);
    private static final int RESULT_BATCH = 100; // enough for a statement without waiting for more
    private static final Duration LEASE = Duration.ofSeconds(30); // on top of the time of two attempts
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(5);

    private final ClaimStore store = new ClaimStore();
    private final Database database;
    private final NodeLease lease;
    private final DeliverySender sender;
    private final ResultWriter results;
    private final WebhookSettings settings;
    private final WebhookMeters meters;
    private final Clock clock;
    private final Backlog backlog;
    private final ChangedProjects changed;
    private final Throttle claiming;
    private final Throttle writing;
    private final Promise<Void> idle = Promise.promise();
    private Optional<EndpointCursor> cursor = Optional.empty(); // of the walk over the endpoints, if one is in progress
    private Future<Void> claimed = Future.succeededFuture();
    private Future<Void> givenBack = Future.succeededFuture();
    private Future<Void> written = Future.succeededFuture();
    private boolean mayBeDue;
    private boolean isClaiming;
    private boolean isStopping;
    private boolean isDatabaseFailing; // so that an outage is logged once

    /** Binds the deliverer to the calling context: all methods must be called on it. */
    public Deliverer(
            Vertx vertx,
            Database database,
            ChangeFeed feed,
            DeliverySender sender,
            ResultWriter results,
            WebhookSettings settings,
            WebhookMeters meters,
            Clock clock) {
        Context context = vertx.getOrCreateContext();
        this.database = database;
        this.lease = new NodeLease(database);
        this.sender = sender;
        this.results = results;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        this.backlog = new Backlog(
                new Backlog.Limits(settings.inFlight(), settings.inFlightPerEndpoint(), settings.claimAhead()),
                () -> mayBeDue = true);
        this.changed = new ChangedProjects(feed, () -> context.runOnContext(change -> dropChanged()));
        feed.subscribe(changed);
        this.claiming = new Throttle(vertx, CLAIM_PAUSE, this::claim);
        this.writing = new Throttle(vertx, RESULT_PAUSE, this::write);
    }

    /** Looks for deliveries that are due. */
    void wakeUp() {
        mayBeDue = true;
        proceed();
    }

    private void proceed() {
        startAttempts();
        if (!isStopping && (mayBeDue || cursor.isPresent()) && room() > 0) {
            claiming.request();
        }
        if (results.size() >= RESULT_BATCH) {
            writing.requestNow();
        } else if (results.size() > 0) {
            writing.request();
        }
        meters.inFlight(database.shard().name(), backlog.inFlight(), backlog.waiting());
        if (isStopping && backlog.inFlight() == 0 && !isClaiming) {
            idle.tryComplete();
        }
    }

    private int room() {
        return backlog.room() - results.size();
    }

    private Future<?> claim() {
        var room = room();
        if (isStopping || room <= 0) {
            return Future.succeededFuture();
        }
        isClaiming = true;
        if (cursor.isEmpty()) {
            mayBeDue = false;
        }
        if (lease.isExpired()) {
            abandonClaims();
        }
        var limits = backlog.claimLimits(room);
        var from = cursor.orElse(EndpointCursor.START);
        var holder = new Holder(lease.name(), leaseEnd(), lease.isStable());
        var claiming = lease.beginClaim();
        claimed = database.withRecentPlans(db -> store.claim(db, from, limits, clock.instant(), holder))
                .onComplete(done -> isClaiming = false)
                .onSuccess(batch -> claiming.succeeded(!batch.claims().isEmpty()))
                .onFailure(failure -> claiming.failed())
                .onSuccess(batch -> accept(batch, limits))
                .onFailure(this::claimFailed)
                .onComplete(done -> proceed())
                .mapEmpty();
        return claimed;
    }

    /** In whole milliseconds: the database rounds finer times, and the end of a claim is compared later. */
    private Instant leaseEnd() {
        return clock.instant()
                .plus(settings.timeout().multipliedBy(2))
                .plus(LEASE)
                .truncatedTo(ChronoUnit.MILLIS);
    }

    private void accept(ClaimBatch batch, ClaimLimits limits) {
        isDatabaseFailing = false;
        backlog.addAll(batch.claims(), limits);
        if (batch.claims().size() < limits.claims()) {
            cursor = batch.next();
            if (cursor.isEmpty()) {
                backlog.removeIdle();
            }
        } else { // the statement may have left some of these endpoints out: visit them again
            cursor = Optional.of(cursor.orElse(EndpointCursor.START));
        }
        dropChanged();
    }

    private void claimFailed(Throwable failure) {
        cursor = Optional.empty(); // the poll timer tries again
        warn(failure);
    }

    /** Shows other nodes that this one is alive while it holds claims, or may get some from a claim in progress. */
    void keepClaims() {
        if (holdsClaims()) {
            lease.renewOrRemove(true).onFailure(this::warn);
        } else {
            claimed.onComplete(done -> lease.renewOrRemove(holdsClaims()).onFailure(this::warn));
        }
        proceed();
    }

    private boolean holdsClaims() {
        return backlog.waiting() + backlog.inFlight() + results.size() > 0
                || !written.isComplete()
                || !givenBack.isComplete();
    }

    /**
     * Other nodes may have taken the claims by now: the database did not answer for too long, or this process was
     * paused. Attempts in flight may then be sent twice; waiting deliveries must not.
     */
    private void abandonClaims() {
        lease.replaceName();
        var lost = backlog.drop(project -> true);
        giveBack(lost);
        mayBeDue |= !lost.isEmpty();
    }

    private void warn(Throwable failure) {
        if (!isDatabaseFailing) {
            LOG.warn(
                    "The database does not answer, so webhook deliveries wait and are tried again: {}",
                    failure.toString());
        }
        isDatabaseFailing = true;
    }

    /** Gives back the waiting deliveries of changed projects, so that they are claimed and read again. */
    private void dropChanged() {
        var seen = changed.seen();
        var stale = backlog.drop(project -> isStopping || changed.contains(project));
        giveBack(stale);
        mayBeDue |= !stale.isEmpty();
        if (!isClaiming) {
            changed.clear(seen);
        } // else the claims in progress may have been read before the change
        proceed();
    }

    private void startAttempts() {
        if (backlog.waiting() > 0 && lease.isExpired()) {
            abandonClaims();
        }
        var skipped = new ArrayList<Claim>();
        for (var next = backlog.next(); next.isPresent(); next = backlog.next()) {
            var claim = next.get();
            if (!mayAttempt(claim) || changed.contains(claim.endpoint().project())) {
                backlog.skipped(claim);
                skipped.add(claim);
            } else {
                sender.attempt(claim).onSuccess(this::ended);
            }
        }
        giveBack(skipped);
    }

    /** Otherwise the claim could end during the attempt, and another node could send the same delivery. */
    private boolean mayAttempt(Claim claim) {
        return claim.holder().equals(lease.name())
                && claim.end().isAfter(clock.instant().plus(settings.timeout()).plus(LEASE_MARGIN));
    }

    private void ended(Attempt attempt) {
        results.add(attempt);
        backlog.ended(attempt);
        proceed();
    }

    /** If it fails, the claims end by themselves. */
    private void giveBack(List<Claim> unused) {
        if (!unused.isEmpty()) {
            givenBack = Future.join(givenBack, database.withRecentPlans(db -> store.giveBack(db, unused)))
                    .onFailure(failure -> lease.markUncertain())
                    .onFailure(this::warn)
                    .otherwiseEmpty()
                    .mapEmpty();
        }
    }

    private Future<?> write() {
        written = results.write().onSuccess(done -> isDatabaseFailing = false).onFailure(this::warn);
        return written;
    }

    /** Waits within the limit for the attempts in flight, and gives the other claims back. */
    Future<Void> stop(Duration limit) {
        isStopping = true;
        dropChanged();
        return idle.future()
                .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .eventually(() -> written)
                .compose(rest -> Batches.repeat(() -> results.write().map(done -> results.size() > 0)))
                .eventually(() -> givenBack)
                .eventually(lease::end);
    }
}
