package dev.vestibule.mail;

import dev.vestibule.database.Database;
import dev.vestibule.mail.CodeStore.LinkPage;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.mail.RecipientStore.Recipient;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.user.organization.OrganizationInvitationTokens;
import io.vertx.core.Future;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/** Writes the mails of the outbox, once they are sent: with what their recipients and projects have become by then. */
final class MailWriter {
    private final Database database;
    private final RecipientStore recipients = new RecipientStore();
    private final CodeStore store = new CodeStore();
    private final NoticeStore notices;
    private final MailBudget budget;
    private final EmailCodes codes;
    private final EmailChanges emailChanges;
    private final Invitations invitations;
    private final OrganizationInvitationTokens organizationInvitations;
    private final MailRenderer renderer;
    private final String hostedPages;

    MailWriter(
            Database database,
            NoticeStore notices,
            MailBudget budget,
            Mails mails,
            Invitations invitations,
            OrganizationInvitationTokens organizationInvitations,
            MailRenderer renderer,
            URI publicUrl) {
        this.database = database;
        this.notices = notices;
        this.budget = budget;
        this.codes = mails.codes();
        this.emailChanges = mails.changes();
        this.invitations = invitations;
        this.organizationInvitations = organizationInvitations;
        this.renderer = renderer;
        this.hostedPages = publicUrl + "/p/";
    }

    /** Empty if the mail is no longer needed. */
    Future<Optional<Mail>> write(OutboxMessage queued) {
        return queued instanceof QueuedNotice notice ? writeNotice(notice) : write((QueuedCode) queued);
    }

    private Future<Optional<Mail>> write(QueuedCode queued) {
        return switch (queued.purpose()) {
            case INVITATION -> writeInvitation(queued);
            case ORGANIZATION_INVITATION -> writeOrganizationInvitation(queued);
            case EMAIL_CHANGE -> writeEmailChange(queued);
            case VERIFICATION, PASSWORD_RESET -> writeCode(queued);
            case EMAIL_OTP, MAGIC_LINK -> writeSignIn(queued);
            case SMS_SIGN_IN, SMS_PHONE -> throw new IllegalArgumentException("not a mail");
        };
    }

    private Future<Optional<Mail>> writeCode(QueuedCode queued) {
        return recipients
                .find(database.writes(), queued)
                .map(found -> found.filter(recipient -> canReceive(queued, recipient)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(queued, queued.recipient(), found, () -> writeCode(queued, found.get())));
    }

    /** Counts the first attempt to mail an address that nobody has proved. */
    private Future<Optional<Mail>> ifAllowed(
            OutboxMessage queued, String email, Optional<Recipient> found, Supplier<Future<Optional<Mail>>> writing) {
        var isProven = found.filter(Recipient::emailVerified).isPresent();
        var allowed = isProven || queued.attempts() > 1
                ? Future.succeededFuture(true)
                : budget.takeOfAddress(
                        database.writes(), queued.project(), codes.hashAddress(email), found.isPresent());
        return allowed.compose(isAllowed -> isAllowed ? writing.get() : Future.succeededFuture(Optional.empty()));
    }

    private Future<Optional<Mail>> writeCode(QueuedCode queued, Recipient recipient) {
        return codes.issue(database.writes(), queued, recipient.id())
                .map(code -> code.map(text -> renderer.render(queued, recipient, text)));
    }

    /** The account may have changed since the mail was requested. */
    private static boolean canReceive(QueuedCode queued, Recipient recipient) {
        return !recipient.isBanned() && !(queued.purpose() == CodePurpose.VERIFICATION && recipient.emailVerified());
    }

    /** Empty if the invitation was withdrawn or accepted, or the project was deleted. */
    private Future<Optional<Mail>> writeInvitation(QueuedCode queued) {
        return recipients
                .findBranding(database.writes(), queued)
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : invitations
                                .issueToken(database.writes(), queued.project(), queued.recipient())
                                .map(token -> token.map(text -> renderer.renderInvitation(queued, brand.get(), text))));
    }

    /** The address may have no account. Empty if nobody needs the token any more, or the account is banned. */
    private Future<Optional<Mail>> writeOrganizationInvitation(QueuedCode queued) {
        return recipients
                .find(database.writes(), queued)
                .compose(found -> found.filter(Recipient::isBanned).isPresent()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued,
                                queued.recipient(),
                                found,
                                () -> recipients
                                        .findBranding(database.writes(), queued)
                                        .compose(brand -> brand.isEmpty()
                                                ? Future.succeededFuture(Optional.empty())
                                                : organizationInvitations
                                                        .issue(database.writes(), queued.project(), queued.id())
                                                        .map(issued -> issued.map(given -> renderer.renderInvitation(
                                                                queued, brand.get(), given))))));
    }

    /** Empty if the project was deleted. */
    private Future<Optional<Mail>> writeNotice(QueuedNotice queued) {
        return recipients
                .find(database.writes(), queued)
                .compose(found -> recipients
                        .findBranding(database.writes(), queued)
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
    private Future<Optional<Mail>> writeEmailChange(QueuedCode queued) {
        return recipients
                .findBranding(database.writes(), queued)
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued,
                                queued.recipient(),
                                Optional.empty(),
                                () -> writeEmailChange(queued, brand.get())));
    }

    private Future<Optional<Mail>> writeEmailChange(QueuedCode queued, MailBranding brand) {
        return emailChanges
                .issueCode(database.writes(), queued.project(), queued.id())
                .map(code -> code.map(text -> renderer.renderEmailChange(queued, brand, text)));
    }

    /** The address may have no account. Empty if it needs one, or the project no longer sends these mails. */
    private Future<Optional<Mail>> writeSignIn(QueuedCode queued) {
        return store.findPage(database.writes(), queued, hostedPages)
                .compose(page -> page.isEmpty() || lacksPage(queued, page.get())
                        ? Future.succeededFuture(Optional.empty())
                        : recipients
                                .find(database.writes(), queued)
                                .compose(found -> writeSignIn(queued, page.get(), found)));
    }

    /** For example because the project has removed its page. */
    private static boolean lacksPage(QueuedCode queued, LinkPage page) {
        return queued.purpose() == CodePurpose.MAGIC_LINK && page.url() == null;
    }

    private Future<Optional<Mail>> writeSignIn(QueuedCode queued, LinkPage page, Optional<Recipient> found) {
        return visibleBrand(queued, page, found)
                .compose(brand -> brand.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : ifAllowed(
                                queued,
                                queued.recipient(),
                                found,
                                () -> writeSignIn(queued, brand.get(), page, found)));
    }

    private Future<Optional<Mail>> writeSignIn(
            QueuedCode queued, MailBranding brand, LinkPage page, Optional<Recipient> found) {
        return codes.issue(database.writes(), queued, null)
                .map(secret -> secret.map(text -> renderer.renderSignIn(queued, brand, found, text, page.url())));
    }

    /** Empty for a banned user, and for an address without an account that must not get one. */
    private Future<Optional<MailBranding>> visibleBrand(QueuedCode queued, LinkPage page, Optional<Recipient> found) {
        if (found.isPresent()) {
            return Future.succeededFuture(
                    found.filter(recipient -> !recipient.isBanned()).map(Recipient::brand));
        }
        return page.signsUp()
                ? recipients.findBranding(database.writes(), queued)
                : Future.succeededFuture(Optional.empty());
    }
}
