package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.database.Backoff;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.telemetry.metrics.MessageMeters;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the mails in the outbox. The code is created when the mail is sent, so the database never contains it in plain
 * text, and it is valid for its whole lifetime no matter how long the mail has waited. A retry invalidates the previous
 * code.
 */
final class MailDelivery implements OutboxVerticle.Worker {
    private static final Logger LOG = LoggerFactory.getLogger(MailDelivery.class);
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);

    private final MessageStore store = new MessageStore();
    private final Database database;
    private final MailWriter writer;
    private final Mailer mailer;
    private final MailSettings settings;
    private final Backoff pauses;
    private final MessageMeters meters;
    private final Clock clock;
    private boolean isFailing; // logs an outage once, not for every mail

    MailDelivery(
            Database database,
            MailWriter writer,
            Mailer mailer,
            MailSettings settings,
            MessageMeters meters,
            Clock clock) {
        this.database = database;
        this.writer = writer;
        this.mailer = mailer;
        this.settings = settings;
        this.pauses = new Backoff(settings.firstRetry(), settings.longestRetry());
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * Sends a batch of due codes, which people wait for, and then a batch of notices; returns whether there may be
     * more.
     */
    @Override
    public Future<Boolean> sendBatch() {
        var limit = settings.inFlight();
        var db = database.writes();
        return store.claim(db, MessageQueue.CODES, clock.instant(), leaseEnd(), limit)
                .compose(due -> sendAll(due, limit))
                .compose(more -> store.claim(db, MessageQueue.NOTICES, clock.instant(), leaseEnd(), limit)
                        .compose(due -> sendAll(due, limit))
                        .map(another -> more || another));
    }

    private Instant leaseEnd() {
        return clock.instant().plus(settings.attemptLimit()).plus(LEASE_MARGIN);
    }

    /** Updates the metric of waiting mails; it counts those of all nodes. */
    @Override
    public Future<Void> measure() {
        return store.count(database.writes(), MessageQueue.CODES, MessageQueue.NOTICES)
                .onSuccess(count -> meters.waiting(database.shard().name(), count))
                .mapEmpty();
    }

    /** Returns whether more mails may be due. */
    private Future<Boolean> sendAll(List<OutboxMessage> claimed, int limit) {
        return Future.join(claimed.stream().map(this::send).toList()).map(claimed.size() == limit);
    }

    private Future<Void> send(OutboxMessage queued) {
        return writer.write(queued)
                .compose(mail -> mail.isPresent() ? send(mail.get()) : Future.succeededFuture())
                .compose(done -> store.remove(database.writes(), queued))
                .recover(failure -> retryLater(queued, failure));
    }

    private Future<Void> send(Mail mail) {
        return mailer.send(mail)
                .timeout(settings.attemptLimit().toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(sent -> onSent());
    }

    private void onSent() {
        meters.sent();
        if (isFailing) {
            LOG.info("Sending mails works again");
        }
        isFailing = false;
    }

    private Future<Void> retryLater(OutboxMessage queued, Throwable failure) {
        meters.failed();
        var now = clock.instant();
        var isTooOld = !queued.createdAt().plus(settings.giveUpAfter()).isAfter(now);
        if (isTooOld || failure instanceof UndeliverableException) {
            meters.gaveUp();
            LOG.warn("Dropped mail {} after {} attempts: {}", queued.id(), queued.attempts(), failure.toString());
            return store.remove(database.writes(), queued);
        }
        if (!isFailing) {
            LOG.warn("Cannot send mails, will retry; check smtp.url and the SMTP server: {}", failure.toString());
        }
        isFailing = true;
        var next = now.plus(pauses.after(queued.attempts()));
        return store.postpone(database.writes(), queued, next);
    }

    @Override
    public Future<Void> close() {
        return mailer.close();
    }
}
