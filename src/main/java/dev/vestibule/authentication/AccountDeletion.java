package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.organization.OrganizationDepartures;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;

/** Deletes an account with all its data, no matter who asks; the email can be registered again at once. */
public final class AccountDeletion {
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final EventOutbox events;
    private final SignInLockout lockout;
    private final MailOutbox mails;
    private final EnrolmentStarts starts;
    private final OrganizationDepartures departures;
    private final Clock clock;

    public AccountDeletion(
            SessionStore sessions,
            EventOutbox events,
            SignInLockout lockout,
            MailOutbox mails,
            EnrolmentStarts starts,
            Clock clock) {
        this.sessions = sessions;
        this.events = events;
        this.lockout = lockout;
        this.mails = mails;
        this.starts = starts;
        this.departures = new OrganizationDepartures(events);
        this.clock = clock;
    }

    /** Like {@link #run}, by the user: a 409 while an organization with other members needs them as its last owner. */
    Future<Void> runByUser(SqlConnection transaction, User user) {
        return departures.requireNotNeeded(transaction, user).compose(allowed -> run(transaction, user));
    }

    /** The transaction must have held the lock of the user's row since it read the user. */
    public Future<Void> run(SqlConnection transaction, User user) {
        var now = clock.instant();
        return forgetEmail(transaction, user)
                .compose(forgotten -> starts.remember(transaction, user))
                .compose(forgotten -> sessions.deleteAll(transaction, user.projectId(), user.id(), now))
                .compose(ended -> departures.leaveAll(transaction, user, now))
                .compose(left -> users.delete(transaction, user.projectId(), user.id()))
                .compose(deleted -> events.record(transaction, UserEvents.of(EventKind.USER_DELETED, user, now)));
    }

    private Future<Void> forgetEmail(SqlClient transaction, User user) {
        var email = user.email();
        return email == null
                ? Future.succeededFuture()
                : lockout.clear(transaction, user.projectId(), email)
                        .compose(forgotten -> mails.forget(transaction, user.projectId(), email));
    }
}
