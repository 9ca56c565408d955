package dev.vestibule.authentication.passkey;

import dev.vestibule.journal.audit.AuditEvent;
import dev.vestibule.journal.audit.AuditTrail;
import dev.vestibule.journal.audit.Target;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.mail.NoticeKind;
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

/**
 * Reports a change of a passkey to the application by an event, to its managers in the audit log and to the user by
 * mail, in the transaction of the change; call {@link #wakeUp} after it.
 */
final class PasskeyNotifier {
    /** Who makes a change, from where, and the language of the mail to the user. */
    record ChangeContext(AuditTrail trail, Device device, Language language) {}

    private static final Device UNKNOWN_DEVICE = new Device(null, null, null);

    private final EventOutbox events;
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final Clock clock;

    PasskeyNotifier(EventOutbox events, Mails mails, Clock clock) {
        this.events = events;
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    /** The notice contains a token that undoes this, and everything that is added later. */
    Future<Void> added(SqlConnection transaction, Project project, User user, Passkey passkey, ChangeContext context) {
        var notice = Notice.of(NoticeKind.PASSKEY_ADDED, passkey.createdAt(), context.device());
        return events.record(transaction, PasskeyEvents.of(EventKind.FACTOR_ADDED, user, clock.instant()))
                .compose(notified -> changes.notifyOfFactor(transaction, project, user, notice, context.language()))
                .compose(notified -> record(transaction, user, passkey.id(), AuditEvent.PASSKEY_REGISTERED, context));
    }

    /** A passkey has become a second factor. Only its owner is notified: nothing was added that others must know. */
    Future<Void> becameFactor(
            SqlConnection transaction, Project project, User user, ChangeContext context, Instant now) {
        var notice = Notice.of(NoticeKind.PASSKEY_ADDED, now, context.device());
        return changes.notifyOfFactor(transaction, project, user, notice, context.language());
    }

    Future<Void> removed(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        return events.record(transaction, PasskeyEvents.of(EventKind.FACTOR_REMOVED, user, clock.instant()))
                .compose(notified -> tell(transaction, user, NoticeKind.PASSKEY_REMOVED, context))
                .compose(notified -> record(transaction, user, passkey, AuditEvent.PASSKEY_REMOVED, context));
    }

    /** Removed by management: the user must not learn from where. */
    Future<Void> removedByManagement(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        var withoutDevice = new ChangeContext(context.trail(), UNKNOWN_DEVICE, context.language());
        return events.record(transaction, PasskeyEvents.of(EventKind.FACTOR_REMOVED, user, clock.instant()))
                .compose(notified -> tell(transaction, user, NoticeKind.PASSKEY_REMOVED, withoutDevice))
                .compose(notified -> record(transaction, user, passkey, AuditEvent.USER_PASSKEY_REMOVED, context));
    }

    /** Returns the user. */
    Future<User> signedIn(SqlConnection transaction, Opened opened, ChangeContext context) {
        return mails.notifyOfSignIn(transaction, opened, context.device(), context.language());
    }

    /** A sign in was refused because the passkey's key is in use twice. */
    Future<Void> cloned(SqlConnection transaction, User user, UUID passkey, ChangeContext context) {
        return tell(transaction, user, NoticeKind.PASSKEY_CLONED, context)
                .compose(notified -> record(transaction, user, passkey, AuditEvent.PASSKEY_CLONED, context));
    }

    private Future<Void> tell(SqlConnection transaction, User user, NoticeKind kind, ChangeContext context) {
        var notice = Notice.of(kind, clock.instant(), context.device());
        return mails.notify(transaction, user, notice, context.language()).mapEmpty();
    }

    private static Future<Void> record(
            SqlConnection transaction, User user, UUID passkey, AuditEvent event, ChangeContext context) {
        return context.trail().record(transaction, event, Target.user(user.id().value()), Map.of("passkeyId", passkey));
    }

    /** A lost wake-up only delays the mail. */
    void wakeUp() {
        mails.wakeUp();
    }
}
