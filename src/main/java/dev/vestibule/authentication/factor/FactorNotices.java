package dev.vestibule.authentication.factor;

import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.mail.NoticeKind;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;

/** Tells users by mail what happened to their second factors: anyone who holds a session of theirs may have done it. */
final class FactorNotices {
    private static final Device UNKNOWN_DEVICE = new Device(null, null, null);

    private final MailOutbox outbox;
    private final EmailChanges changes;
    private final Clock clock;

    FactorNotices(Mails mails, Clock clock) {
        this.outbox = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    /** Must run in the transaction of the change; call {@link #wakeUp} after it. */
    Future<Void> tell(SqlConnection transaction, User user, NoticeKind kind, Device device, Language language) {
        return outbox.notify(transaction, user, Notice.of(kind, clock.instant(), device), language)
                .mapEmpty();
    }

    /** Announces a factor that was confirmed at this time, with a token that undoes it. */
    Future<Void> tellAboutNewFactor(
            SqlConnection transaction, Project project, User user, Instant at, Device device, Language language) {
        return changes.notifyOfFactor(
                transaction, project, user, Notice.of(NoticeKind.FACTOR_ADDED, at, device), language);
    }

    /** Tells users what management did, but not from where, which they must not learn. */
    Future<Void> tellAboutManagement(SqlConnection transaction, User user, NoticeKind kind, Language language) {
        return tell(transaction, user, kind, UNKNOWN_DEVICE, language);
    }

    /** A lost wake-up only delays the mail. */
    void wakeUp() {
        outbox.wakeUp();
    }
}
