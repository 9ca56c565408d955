package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailStore.Wanted;
import dev.vestibule.metrics.MailMeters;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes mails from the outbox to the mailer. The code is made at that moment, so it is nowhere in plain in the
 * database, and good for its whole life however long the mail waited; an attempt that is repeated voids the code of the
 * one before.
 */
final class MailDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(MailDelivery.class);
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
    private static final double SPREAD = 0.2;
    private static final int MOST_DOUBLINGS = 20;

    private final MailStore store = new MailStore();
    private final RecipientStore recipients = new RecipientStore();
    private final Database database;
    private final EmailCodes codes;
    private final MailRenderer renderer;
    private final Mailer mailer;
    private final MailSettings settings;
    private final MailMeters meters;
    private final Clock clock;
    private boolean isFailing; // so that the log tells of an outage once, and not for every mail

    MailDelivery(
            Database database,
            EmailCodes codes,
            MailRenderer renderer,
            Mailer mailer,
            MailSettings settings,
            MailMeters meters,
            Clock clock) {
        this.database = database;
        this.codes = codes;
        this.renderer = renderer;
        this.mailer = mailer;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
    }

    /** Sends what is due, as much as may be in flight at once, and tells whether there may be more. */
    Future<Boolean> round() {
        var now = clock.instant();
        var leaseEnd = now.plus(settings.attemptLimit()).plus(LEASE_MARGIN);
        return store.claim(database.writes(), now, leaseEnd, settings.inFlight())
                .compose(claimed -> sendAll(claimed).map(claimed.size() == settings.inFlight()));
    }

    /** How many mails wait, of all nodes. */
    Future<Void> measure() {
        return store.count(database.writes()).onSuccess(meters::waiting).mapEmpty();
    }

    private Future<Void> sendAll(List<Wanted> claimed) {
        return Future.join(claimed.stream().map(this::send).toList()).mapEmpty();
    }

    private Future<Void> send(Wanted wanted) {
        return recipients
                .find(database.writes(), wanted.project(), wanted.email())
                .map(found -> found.filter(recipient -> isWelcome(wanted, recipient)))
                .compose(found -> found.isEmpty() ? remove(wanted) : sendTo(wanted, found))
                .recover(failure -> later(wanted, failure));
    }

    /** The account may have changed since, and whoever asked may have had none. */
    private static boolean isWelcome(Wanted wanted, Recipient recipient) {
        return !recipient.isBanned() && !(wanted.purpose() == CodePurpose.VERIFICATION && recipient.emailVerified());
    }

    private Future<Void> sendTo(Wanted wanted, Optional<Recipient> found) {
        var recipient = found.orElseThrow();
        return codes.issue(database.writes(), wanted.project(), wanted.purpose(), wanted.email(), recipient.id())
                .map(code -> renderer.render(wanted, recipient, code))
                .compose(mail ->
                        mailer.send(mail).timeout(settings.attemptLimit().toMillis(), TimeUnit.MILLISECONDS))
                .onSuccess(sent -> arrived())
                .compose(sent -> remove(wanted));
    }

    private void arrived() {
        meters.sent();
        if (isFailing) {
            LOG.info("Mails are sent again");
        }
        isFailing = false;
    }

    private Future<Void> later(Wanted wanted, Throwable failure) {
        meters.failed();
        var now = clock.instant();
        var isTooOld = !wanted.createdAt().plus(settings.giveUpAfter()).isAfter(now);
        if (isTooOld || failure instanceof UndeliverableException) {
            meters.gaveUp();
            LOG.warn("Mail {} is dropped after {} attempts: {}", wanted.id(), wanted.attempts(), failure.toString());
            return remove(wanted);
        }
        if (!isFailing) {
            LOG.warn("Mails cannot be sent, and are tried again: {}", failure.toString());
        }
        isFailing = true;
        return store.postpone(database.writes(), wanted.project(), wanted.id(), now.plus(pause(wanted.attempts())));
    }

    /** Doubles with each attempt, and is spread so that mails that failed together do not come back together. */
    private Duration pause(int attempts) {
        var doubled = settings.firstRetry().toMillis() << Math.min(attempts - 1, MOST_DOUBLINGS);
        var longest = Math.min(doubled, settings.longestRetry().toMillis());
        return Duration.ofMillis(
                Math.round(longest * ThreadLocalRandom.current().nextDouble(1 - SPREAD, 1 + SPREAD)));
    }

    private Future<Void> remove(Wanted wanted) {
        return store.remove(database.writes(), wanted.project(), wanted.id());
    }

    Future<Void> close() {
        return mailer.close();
    }
}
