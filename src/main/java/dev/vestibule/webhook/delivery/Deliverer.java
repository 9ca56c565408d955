package dev.vestibule.webhook.delivery;

import dev.vestibule.config.WebhookSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.metrics.WebhookMeters;
import dev.vestibule.webhook.delivery.ClaimStore.Place;
import dev.vestibule.webhook.delivery.ClaimStore.Portion;
import dev.vestibule.webhook.delivery.ClaimStore.Walk;
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
 * Takes what is due from the database to the endpoints and brings back what came of it. Three things go on side by
 * side, each at its own pace: walks that claim, attempts, and the writing of results. All of it runs on one context.
 */
public final class Deliverer {
    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);
    private static final Duration PAUSE_OF_CLAIMS = Duration.ofMillis(10);
    private static final Duration PAUSE_OF_RESULTS = Duration.ofMillis(25); // for which nobody waits
    private static final int ENOUGH_RESULTS = 100; // for a statement of their own
    private static final Duration LEASE = Duration.ofSeconds(30); // beside the time of two attempts
    private static final Duration MARGIN = Duration.ofSeconds(5);
    private static final Duration FAILING = Duration.ofMinutes(1); // a failure now and then slows nobody down
    private static final int ENDPOINTS = 500; // that one statement walks by
    private static final int AHEAD = 1000; // claimed at once of one endpoint
    private static final int AHEAD_OF_FAILING = 4;
    private static final int AHEAD_OF_UNPROVEN = 32; // so that many that hang leave room for those that do not
    private static final int SHARE = 5; // of the room that is left, an endpoint gets this part

    private final ClaimStore claims = new ClaimStore();
    private final Database database;
    private final DeliverySender sender;
    private final ResultWriter results;
    private final WebhookSettings settings;
    private final WebhookMeters meters;
    private final Clock clock;
    private final Backlog backlog;
    private final ChangedProjects changed;
    private final Pacer claiming;
    private final Pacer writing;
    private final Promise<Void> atRest = Promise.promise();
    private Optional<Place> place = Optional.empty(); // how far the walk under way has come
    private Future<Void> givenBack = Future.succeededFuture();
    private Future<Void> written = Future.succeededFuture();
    private boolean isWokenUp;
    private boolean isClaiming;
    private boolean isStopping;
    private boolean isFailing; // so that the log tells of an outage once

    /** For the calling context, on which all of it must be used. */
    public Deliverer(
            Vertx vertx,
            Database database,
            ChangeFeed feed,
            DeliverySender sender,
            ResultWriter results,
            WebhookSettings settings,
            WebhookMeters meters,
            Clock clock) {
        Context own = vertx.getOrCreateContext();
        this.database = database;
        this.sender = sender;
        this.results = results;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        this.backlog = new Backlog(
                new Backlog.Limits(settings.inFlight(), settings.inFlightPerEndpoint(), settings.claimAhead()));
        this.changed = new ChangedProjects(() -> own.runOnContext(told -> forgetChanged()));
        feed.subscribe(changed);
        this.claiming = new Pacer(vertx, PAUSE_OF_CLAIMS, this::claim);
        this.writing = new Pacer(vertx, PAUSE_OF_RESULTS, this::write);
    }

    /** Something may be due. */
    void wakeUp() {
        isWokenUp = true;
        goOn();
    }

    private void goOn() {
        startWhatMayStart();
        isWokenUp |= backlog.takeHunger();
        if (!isStopping && (isWokenUp || place.isPresent()) && room() > 0) {
            claiming.want();
        }
        if (results.size() >= ENOUGH_RESULTS) {
            writing.wantNow();
        } else if (results.size() > 0) {
            writing.want();
        }
        meters.inFlight(backlog.inFlight(), backlog.waiting());
        if (isStopping && backlog.inFlight() == 0 && !isClaiming) {
            atRest.tryComplete();
        }
    }

    private int room() {
        return backlog.room() - results.size();
    }

    private Future<?> claim() {
        var portion = portion();
        if (isStopping || portion.claims() <= 0) {
            return Future.succeededFuture();
        }
        isClaiming = true;
        if (place.isEmpty()) {
            isWokenUp = false;
            place = Optional.of(Place.START);
        }
        var from = place.get();
        return database.withRecentPlans(db -> claims.claim(db, from, portion, clock.instant(), leaseEnd()))
                .onComplete(claimed -> isClaiming = false)
                .onSuccess(walk -> take(walk, portion))
                .onFailure(this::failed)
                .onComplete(claimed -> goOn());
    }

    private Portion portion() {
        var room = room();
        return new Portion(
                ENDPOINTS,
                clock.instant().minus(FAILING),
                AHEAD_OF_FAILING,
                AHEAD_OF_UNPROVEN,
                Math.max(AHEAD_OF_UNPROVEN, Math.min(AHEAD, room / SHARE)),
                backlog.proven(),
                backlog.full(),
                room);
    }

    /** To the millisecond, so that the database holds the same. */
    private Instant leaseEnd() {
        return clock.instant()
                .plus(settings.timeout().multipliedBy(2))
                .plus(LEASE)
                .truncatedTo(ChronoUnit.MILLIS);
    }

    private void take(Walk walk, Portion portion) {
        isFailing = false;
        backlog.addAll(walk.claims(), portion);
        if (walk.claims().size() < portion.claims()) {
            place = walk.last();
            if (place.isEmpty()) {
                backlog.walkEnded();
            }
        } // else the same endpoints again, but for those that have enough by now
        forgetChanged();
    }

    private void failed(Throwable failure) {
        place = Optional.empty(); // the timer begins anew
        warn(failure);
    }

    private void warn(Throwable failure) {
        if (!isFailing) {
            LOG.warn("The database does not answer for deliveries, which go on later: {}", failure.toString());
        }
        isFailing = true;
    }

    /** What is held of changed projects goes back, to be read anew where it is still to be sent. */
    private void forgetChanged() {
        var stale = backlog.drop(project -> isStopping || changed.contains(project));
        giveBack(stale);
        isWokenUp |= !stale.isEmpty();
        if (!isClaiming) {
            changed.forget();
        } // else what is being claimed may have been read before the change
        goOn();
    }

    private void startWhatMayStart() {
        var skipped = new ArrayList<Claim>();
        for (var next = backlog.next(); next.isPresent(); next = backlog.next()) {
            var claim = next.get();
            if (isLate(claim) || changed.contains(claim.endpoint().project())) {
                backlog.skipped(claim);
                skipped.add(claim);
            } else {
                sender.attempt(claim).onSuccess(this::ended);
            }
        }
        giveBack(skipped);
    }

    /** The claim could end while the attempt is under way, and somebody else make another one. */
    private boolean isLate(Claim claim) {
        return claim.end().isBefore(clock.instant().plus(settings.timeout()).plus(MARGIN));
    }

    private void ended(Attempt attempt) {
        results.add(attempt);
        giveBack(backlog.ended(attempt));
        goOn();
    }

    /** Where it fails, the claims end by themselves. */
    private void giveBack(List<Claim> unused) {
        if (!unused.isEmpty()) {
            givenBack = Future.join(givenBack, database.withRecentPlans(db -> claims.giveBack(db, unused)))
                    .onFailure(this::warn)
                    .otherwiseEmpty()
                    .mapEmpty();
        }
    }

    private Future<?> write() {
        written = results.write().onSuccess(done -> isFailing = false).onFailure(this::warn);
        return written;
    }

    /** Lets what is under way come to its end within a time, and leaves the rest to others. */
    Future<Void> stop(Duration limit) {
        isStopping = true;
        forgetChanged();
        return atRest.future()
                .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .eventually(() -> written)
                .compose(rest -> Batches.repeat(() -> results.write().map(done -> results.size() > 0)))
                .eventually(() -> givenBack);
    }
}
