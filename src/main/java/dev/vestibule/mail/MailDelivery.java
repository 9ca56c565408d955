package dev.vestibule.mail;

import dev.vestibule.config.MailSettings;
import dev.vestibule.database.Backoff;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.mail.OutboxMail.QueuedMail;
import dev.vestibule.mail.OutboxMail.QueuedNotice;
import dev.vestibule.mail.OutboxMail.QueuedSignIn;
import dev.vestibule.mail.PasswordlessMailStore.LinkPage;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.telemetry.metrics.MailMeters;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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

    private final MailStore store = new MailStore();
    private final RecipientStore recipients = new RecipientStore();
    private final Database database;
    private final NoticeStore notices;
    private final EmailCodes codes;
    private final MailBudget budget;
    private final EmailChanges emailChanges;
    private final PasswordlessMailStore signIns = new PasswordlessMailStore();
    private final PasswordlessMails passwordless;
    private final Invitations invitations;
    private final MailRenderer renderer;
    private final Mailer mailer;
    private final MailSettings settings;
    private final String hostedPages;
    private final Backoff pauses;
    private final MailMeters meters;
    private final Clock clock;
    private boolean isFailing; // logs an outage once, not for every mail

    MailDelivery(
            Database database,
            NoticeStore notices,
            EmailCodes codes,
            MailBudget budget,
            EmailChanges emailChanges,
            PasswordlessMails passwordless,
            Invitations invitations,
            MailRenderer renderer,
            Mailer mailer,
            MailSettings settings,
            URI publicUrl,
            MailMeters meters,
            Clock clock) {
        this.database = database;
        this.notices = notices;
        this.codes = codes;
        this.budget = budget;
        this.emailChanges = emailChanges;
        this.passwordless = passwordless;
        this.invitations = invitations;
        this.renderer = renderer;
        this.mailer = mailer;
        this.settings = settings;
        this.hostedPages = publicUrl + "/p/";
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
        return store.claim(db, clock.instant(), leaseEnd(), limit)
                .compose(due -> sendAll(due, limit))
                .compose(more -> store.claimNotices(db, clock.instant(), leaseEnd(), limit)
                        .compose(due -> sendAll(due, limit))
                        .map(another -> more || another));
    }

    private Instant leaseEnd() {
        return clock.instant().plus(settings.attemptLimit()).plus(LEASE_MARGIN);
    }

    /** Updates the metric of waiting mails; it counts those of all nodes. */
    @Override
    public Future<Void> measure() {
        return store.count(database.writes()).onSuccess(meters::waiting).mapEmpty();
    }

    /** Returns whether more mails may be due. */
    private Future<Boolean> sendAll(List<OutboxMail> claimed, int limit) {
        return Future.join(claimed.stream().map(this::send).toList()).map(claimed.size() == limit);
    }

    private Future<Void> send(OutboxMail queued) {
        return write(queued)
                .compose(mail -> mail.isPresent() ? send(mail.get()) : Future.succeededFuture())
                .compose(done -> store.remove(database.writes(), queued.project(), queued.id()))
                .recover(failure -> retryLater(queued, failure));
    }

    /** Empty if the mail is no longer needed. */
    private Future<Optional<Mail>> write(OutboxMail queued) {
        if (queued instanceof QueuedNotice notice) {
            return writeNotice(notice);
        }
        return queued instanceof QueuedSignIn signIn ? writeSignIn(signIn) : write((QueuedMail) queued);
    }

    private Future<Optional<Mail>> write(QueuedMail queued) {
        return switch (queued.purpose()) {
            case INVITATION -> writeInvitation(queued);
            case EMAIL_CHANGE -> writeEmailChange(queued);
            case VERIFICATION, PASSWORD_RESET -> writeCode(queued);
        };
    }

    private Future<Void> send(Mail mail) {
        return mailer.send(mail)
                .timeout(settings.attemptLimit().toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(sent -> onSent());
    }

    private Future<Optional<Mail>> writeCode(QueuedMail queued) {
        return recipients
                .find(database.writes(), queued.project(), queued.email())
                .map(found -> found.filter(recipient -> canReceive(queued, recipient)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued,
                                queued.email(),
                                found,
                                () -> writeCode(queued, found.get()).map(Optional::of)));
    }

    /** Counts the first attempt to mail an address that nobody has proved. */
    private Future<Optional<Mail>> ifAllowed(
            OutboxMail queued, String email, Optional<Recipient> found, Supplier<Future<Optional<Mail>>> writing) {
        var isProven = found.filter(Recipient::emailVerified).isPresent();
        var allowed = isProven || queued.attempts() > 1
                ? Future.succeededFuture(true)
                : budget.takeOfAddress(
                        database.writes(), queued.project(), codes.hashAddress(email), found.isPresent());
        return allowed.compose(isAllowed -> isAllowed ? writing.get() : Future.succeededFuture(Optional.empty()));
    }

    private Future<Mail> writeCode(QueuedMail queued, Recipient recipient) {
        return codes.issue(
                        database.writes(),
                        queued.project(),
                        queued.purpose(),
                        queued.email(),
                        recipient.id(),
                        queued.isFromKnownNetwork())
                .map(code -> renderer.render(queued, recipient, code));
    }

    /** The account may have changed since the mail was requested. */
    private static boolean canReceive(QueuedMail queued, Recipient recipient) {
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

    /** Empty if the project was deleted. */
    private Future<Optional<Mail>> writeNotice(QueuedNotice queued) {
        return recipients
                .find(database.writes(), queued.project(), queued.email())
                .compose(found -> recipients
                        .findBranding(database.writes(), queued.project())
                        .map(brand -> render(queued, brand, greeted(queued, found))));
    }

    /** Greets only the user of the notice by name: the address may belong to another account by now. */
    private static Optional<Recipient> greeted(QueuedNotice queued, Optional<Recipient> found) {
        return found.filter(recipient -> recipient.id().equals(queued.user()));
    }

    private Optional<Mail> render(QueuedNotice queued, Optional<MailBranding> brand, Optional<Recipient> greeted) {
        return brand.map(shown -> renderer.renderNotice(queued, shown, greeted, notices.open(queued)));
    }

    /** To an address that does not belong to an account yet. */
    private Future<Optional<Mail>> writeEmailChange(QueuedMail queued) {
        return recipients
                .findBranding(database.writes(), queued.project())
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued, queued.email(), Optional.empty(), () -> writeEmailChange(queued, brand.get())));
    }

    private Future<Optional<Mail>> writeEmailChange(QueuedMail queued, MailBranding brand) {
        return emailChanges
                .issueCode(database.writes(), queued.project(), queued.id())
                .map(code -> code.map(text -> renderer.renderEmailChange(queued, brand, text)));
    }

    /** To an address that may have no account; empty if it needs one, or the project no longer sends these mails. */
    private Future<Optional<Mail>> writeSignIn(QueuedSignIn queued) {
        return signIns.findPage(database.writes(), queued.project(), queued.id(), hostedPages)
                .compose(page -> page.isEmpty() || lacksPage(queued, page.get())
                        ? Future.succeededFuture(Optional.empty())
                        : recipients
                                .find(database.writes(), queued.project(), queued.email())
                                .compose(found -> writeSignIn(queued, page.get(), found)));
    }

    /** For example because the project has removed its page. */
    private static boolean lacksPage(QueuedSignIn queued, LinkPage page) {
        return queued.kind() == PasswordlessKind.MAGIC_LINK && page.url() == null;
    }

    private Future<Optional<Mail>> writeSignIn(QueuedSignIn queued, LinkPage page, Optional<Recipient> found) {
        return visibleBrand(queued, page, found)
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued, queued.email(), found, () -> writeSignIn(queued, brand.get(), page, found)));
    }

    private Future<Optional<Mail>> writeSignIn(
            QueuedSignIn queued, MailBranding brand, LinkPage page, Optional<Recipient> found) {
        return passwordless
                .issue(database.writes(), queued)
                .map(secret -> secret.map(text -> renderer.renderSignIn(queued, brand, found, text, page.url())));
    }

    /** Empty for a banned user, and for an address without an account that must not get one. */
    private Future<Optional<MailBranding>> visibleBrand(QueuedSignIn queued, LinkPage page, Optional<Recipient> found) {
        if (found.isPresent()) {
            return Future.succeededFuture(
                    found.filter(recipient -> !recipient.isBanned()).map(Recipient::brand));
        }
        return page.signsUp()
                ? recipients.findBranding(database.writes(), queued.project())
                : Future.succeededFuture(Optional.empty());
    }

    private void onSent() {
        meters.sent();
        if (isFailing) {
            LOG.info("Sending mails works again");
        }
        isFailing = false;
    }

    private Future<Void> retryLater(OutboxMail queued, Throwable failure) {
        meters.failed();
        var now = clock.instant();
        var isTooOld = !queued.createdAt().plus(settings.giveUpAfter()).isAfter(now);
        if (isTooOld || failure instanceof UndeliverableException) {
            meters.gaveUp();
            LOG.warn("Dropped mail {} after {} attempts: {}", queued.id(), queued.attempts(), failure.toString());
            return store.remove(database.writes(), queued.project(), queued.id());
        }
        if (!isFailing) {
            LOG.warn("Cannot send mails, will retry; check smtp.url and the SMTP server: {}", failure.toString());
        }
        isFailing = true;
        var next = now.plus(pauses.after(queued.attempts()));
        return store.postpone(database.writes(), queued.project(), queued.id(), next);
    }

    @Override
    public Future<Void> close() {
        return mailer.close();
    }
}
