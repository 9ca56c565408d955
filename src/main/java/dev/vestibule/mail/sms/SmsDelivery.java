package dev.vestibule.mail.sms;

import dev.vestibule.config.SmsSettings;
import dev.vestibule.database.Backoff;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.MessageQueue;
import dev.vestibule.mail.MessageStore;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.SmsText;
import dev.vestibule.mail.UndeliverableException;
import dev.vestibule.mail.sms.SmsEndpoint.Message;
import dev.vestibule.mail.sms.SmsStore.Sender;
import dev.vestibule.telemetry.metrics.MessageMeters;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the waiting SMS. The code is created when the SMS is sent, so the database never contains it in plain text. An
 * SMS is dropped after 10 minutes: the person has requested another one by then, or given up.
 */
final class SmsDelivery implements OutboxVerticle.Worker {
    private static final Logger LOG = LoggerFactory.getLogger(SmsDelivery.class);
    private static final Duration GIVE_UP = CodePurpose.SMS_SIGN_IN.lifetime();
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1));

    private final MessageStore outbox = new MessageStore();
    private final SmsStore store = new SmsStore();
    private final Database database;
    private final SmsCodes codes;
    private final SmsEndpoint endpoint;
    private final SmsSettings settings;
    private final MessageMeters meters;
    private final Clock clock;
    private boolean isFailing; // logs an outage once, not for every SMS

    SmsDelivery(
            Database database,
            SmsCodes codes,
            SmsEndpoint endpoint,
            SmsSettings settings,
            MessageMeters meters,
            Clock clock) {
        this.database = database;
        this.codes = codes;
        this.endpoint = endpoint;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Future<Boolean> sendBatch() {
        var now = clock.instant();
        var leaseEnd = now.plus(settings.timeout()).plus(LEASE_MARGIN);
        return outbox.claim(database.writes(), MessageQueue.SMS, now, leaseEnd, settings.inFlight())
                .compose(due -> Future.join(due.stream()
                                .map(QueuedCode.class::cast)
                                .map(this::send)
                                .toList())
                        .map(due.size() == settings.inFlight()));
    }

    @Override
    public Future<Void> measure() {
        return outbox.count(database.writes(), MessageQueue.SMS)
                .onSuccess(count -> meters.waiting(database.shard().name(), count))
                .mapEmpty();
    }

    private Future<Void> send(QueuedCode queued) {
        return isTooOld(queued)
                ? giveUp(queued, "it has waited for 10 minutes")
                : store.findSender(database.writes(), queued)
                        .compose(found -> found.filter(sender -> isUseful(queued, sender))
                                .map(sender -> send(queued, sender))
                                .orElseGet(Future::succeededFuture))
                        .compose(sent -> outbox.remove(database.writes(), queued))
                        .recover(failure -> retryLater(queued, failure));
    }

    private boolean isTooOld(QueuedCode queued) {
        return !queued.createdAt().plus(GIVE_UP).isAfter(clock.instant());
    }

    /** An SMS to a number that can neither sign in nor sign up would only cost money. */
    private static boolean isUseful(QueuedCode queued, Sender sender) {
        return queued.purpose() != CodePurpose.SMS_SIGN_IN || sender.hasUse();
    }

    private Future<Void> send(QueuedCode queued, Sender sender) {
        return codes.issue(database.writes(), queued)
                .compose(code -> code.isEmpty()
                        ? Future.succeededFuture()
                        : endpoint.send(message(queued, sender, code.get())).onSuccess(sent -> onSent()));
    }

    private static Message message(QueuedCode queued, Sender sender, String code) {
        return new Message(
                queued.id().toString(),
                queued.recipient(),
                SmsText.of(queued.language(), sender.texts(), sender.brand(), code),
                code,
                queued.purpose() == CodePurpose.SMS_SIGN_IN ? "sign_in" : "phone",
                queued.language().text(),
                queued.project().toString(),
                sender.projectName());
    }

    private void onSent() {
        meters.sent();
        if (isFailing) {
            LOG.info("Sending SMS works again");
        }
        isFailing = false;
    }

    private Future<Void> retryLater(QueuedCode queued, Throwable failure) {
        meters.failed();
        if (failure instanceof UndeliverableException) {
            return giveUp(queued, String.valueOf(failure.getMessage()));
        }
        if (!isFailing) {
            LOG.warn("Cannot send SMS, will retry; check sms.url and what answers there: {}", failure.toString());
        }
        isFailing = true;
        return outbox.postpone(database.writes(), queued, clock.instant().plus(PAUSES.after(queued.attempts())));
    }

    private Future<Void> giveUp(QueuedCode queued, String why) {
        meters.gaveUp();
        LOG.warn("Dropped SMS {} after {} attempts: {}", queued.id(), queued.attempts(), why);
        return outbox.remove(database.writes(), queued);
    }

    @Override
    public Future<Void> close() {
        return endpoint.close();
    }
}
