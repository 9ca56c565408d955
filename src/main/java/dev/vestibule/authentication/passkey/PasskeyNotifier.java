package dev.vestibule.authentication.passkey;

import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionStore.Opened;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Records changes of passkeys, in the transaction of the change. */
final class PasskeyNotifier {
    /** The person who makes a change, their device, and the language of the mail to the user. */
    record ChangeContext(Trail trail, Device device, Language language) {}

    private final MailOutbox mails;
    private final EmailChanges changes;
    private final Clock clock;

    PasskeyNotifier(Mails mails, Clock clock) {
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    /** The notice contains a token that undoes this, and everything that is added later. */
    Future<Void> added(SqlConnection transaction, Project project, User user, Passkey passkey, ChangeContext context) {
        var notice = Notice.of(passkey.createdAt(), context.device());
        return context.trail()
                .record(
                        transaction,
                        Noticed.PASSKEY_REGISTERED,
                        user,
                        details(passkey.id()),
                        changes.to(project, user, notice, context.language()));
    }

    /** A passkey has become a second factor. Only its owner is notified: nothing was added that others must know. */
    Future<Void> becameFactor(
            SqlConnection transaction, Project project, User user, ChangeContext context, Instant now) {
        return changes.to(project, user, Notice.of(now, context.device()), context.language())
                .tell(transaction, NoticeKind.PASSKEY_ADDED);
    }

    Future<Void> removed(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        return record(transaction, Noticed.PASSKEY_REMOVED, user, passkey, context, context.device());
    }

    /** Removed by management: the user must not learn from where. */
    Future<Void> removedByManagement(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        return record(transaction, Noticed.USER_PASSKEY_REMOVED, user, passkey, context, Device.UNKNOWN);
    }

    /** A sign in was refused because the passkey's key is in use twice. */
    Future<Void> cloned(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        return record(transaction, Noticed.PASSKEY_CLONED, user, passkey, context, context.device());
    }

    /** Returns the user. */
    Future<User> signedIn(SqlConnection transaction, Opened opened, ChangeContext context) {
        return mails.notifyOfSignIn(transaction, opened, context.device(), context.language());
    }

    private Future<Void> record(
            SqlConnection transaction, Noticed fact, User user, UUID passkey, ChangeContext context, Device shown) {
        var notifier = mails.to(user, Notice.of(clock.instant(), shown), context.language());
        return context.trail().record(transaction, fact, user, details(passkey), notifier);
    }

    private static Map<String, Object> details(UUID passkey) {
        return Map.of("factor", "passkey", "passkeyId", passkey);
    }
}
