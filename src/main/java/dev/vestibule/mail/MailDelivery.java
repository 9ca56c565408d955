package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailStore.QueuedMail;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.telemetry.metrics.MailMeters;
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
 * Sends the mails in the outbox. The code is created at that time, so the database never holds it in plain text, and it is
 * valid for its whole lifetime no matter how long the mail has waited. A repeated attempt invalidates the previous code.
 */
final class MailDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(MailDelivery.class);
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
    private static final double JITTER = 0.2;
    private static final int MAX_DOUBLINGS = 20;

    private final MailStore store = new MailStore();
    private final RecipientStore recipients = new RecipientStore();
    private final Database database;
    private final EmailCodes codes;
    private final Invitations invitations;
    private final MailRenderer renderer;
    private final Mailer mailer;
    private final MailSettings settings;
    private final MailMeters meters;
    private final Clock clock;
    private boolean isFailing; // logs an outage once, not for every mail

    MailDelivery(
            Database database,
            EmailCodes codes,
            Invitations invitations,
            MailRenderer renderer,
            Mailer mailer,
            MailSettings settings,
            MailMeters meters,
            Clock clock) {
        this.database = database;
        this.codes = codes;
        this.invitations = invitations;
        this.renderer = renderer;
        this.mailer = mailer;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
    }

    /** Sends one batch of mails that are due, and returns whether there may be more. */
    Future<Boolean> sendBatch() {
        var now = clock.instant();
        var leaseEnd = now.plus(settings.attemptLimit()).plus(LEASE_MARGIN);
        return store.claim(database.writes(), now, leaseEnd, settings.inFlight())
                .compose(claimed -> sendAll(claimed).map(claimed.size() == settings.inFlight()));
    }

    /** Updates the metric of waiting mails, which counts those of all nodes. */
    Future<Void> measure() {
        return store.count(database.writes()).onSuccess(meters::waiting).mapEmpty();
    }

    private Future<Void> sendAll(List<QueuedMail> claimed) {
        return Future.join(claimed.stream().map(this::send).toList()).mapEmpty();
    }

    private Future<Void> send(QueuedMail queued) {
        return (queued.purpose() == CodePurpose.INVITATION ? writeInvitation(queued) : writeCode(queued))
                .compose(mail -> mail.isPresent() ? send(mail.get()) : Future.succeededFuture())
                .compose(done -> remove(queued))
                .recover(failure -> retryLater(queued, failure));
    }

    private Future<Void> send(Mail mail) {
        return mailer.send(mail)
                .timeout(settings.attemptLimit().toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(sent -> onSent());
    }

    /** Empty if the mail need not be sent any more. */
    private Future<Optional<Mail>> writeCode(QueuedMail queued) {
        return recipients
                .find(database.writes(), queued.project(), queued.email())
                .map(found -> found.filter(recipient -> mayReceive(queued, recipient)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : writeCode(queued, found.get()).map(Optional::of));
    }

    private Future<Mail> writeCode(QueuedMail queued, Recipient recipient) {
        return codes.issue(database.writes(), queued.project(), queued.purpose(), queued.email(), recipient.id())
                .map(code -> renderer.render(queued, recipient, code));
    }

    /** The account may have changed since the mail was requested. */
    private static boolean mayReceive(QueuedMail queued, Recipient recipient) {
        return !recipient.isBanned() && !(queued.purpose() == CodePurpose.VERIFICATION && recipient.emailVerified());
    }

    /** Empty if the invitation was withdrawn or accepted, or the project was deleted. */
    private Future<Optional<Mail>> writeInvitation(QueuedMail queued) {
        return recipients
                .findBranding(database.writes(), queued.project())
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : invitations
                                .issueToken(database.writes(), queued.project(), queued.email())
                                .map(token -> token.map(text -> renderer.renderInvitation(queued, brand.get(), text))));
    }

    private void onSent() {
        meters.sent();
        if (isFailing) {
            LOG.info("Sending mails works again");
        }
        isFailing = false;
    }

    private Future<Void> retryLater(QueuedMail queued, Throwable failure) {
        meters.failed();
        var now = clock.instant();
        var isTooOld = !queued.createdAt().plus(settings.giveUpAfter()).isAfter(now);
        if (isTooOld || failure instanceof UndeliverableException) {
            meters.gaveUp();
            LOG.warn("Dropped mail {} after {} attempts: {}", queued.id(), queued.attempts(), failure.toString());
            return remove(queued);
        }
        if (!isFailing) {
            LOG.warn("Cannot send mails, will retry; check smtp.url and the SMTP server: {}", failure.toString());
        }
        isFailing = true;
        return store.postpone(
                database.writes(), queued.project(), queued.id(), now.plus(retryDelay(queued.attempts())));
    }

    /** Doubles with each attempt, with jitter, so that mails that failed together are not retried together. */
    private Duration retryDelay(int attempts) {
        var doubled = settings.firstRetry().toMillis() << Math.min(attempts - 1, MAX_DOUBLINGS);
        var capped = Math.min(doubled, settings.longestRetry().toMillis());
        return Duration.ofMillis(Math.round(capped * ThreadLocalRandom.current().nextDouble(1 - JITTER, 1 + JITTER)));
    }

    private Future<Void> remove(QueuedMail queued) {
        return store.remove(database.writes(), queued.project(), queued.id());
    }

    Future<Void> close() {
        return mailer.close();
    }
}
