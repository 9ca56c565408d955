package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.User;
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
    private final SignInLockout lockout;
    private final MailOutbox mails;
    private final EnrolmentStarts starts;
    private final OrganizationDepartures departures = new OrganizationDepartures();
    private final Clock clock;

    public AccountDeletion(
            SessionStore sessions, SignInLockout lockout, MailOutbox mails, EnrolmentStarts starts, Clock clock) {
        this.sessions = sessions;
        this.lockout = lockout;
        this.mails = mails;
        this.starts = starts;
        this.clock = clock;
    }

    /** Like {@link #run}, by the user: a 409 while an organization with other members needs them as its last owner. */
    Future<Void> runByUser(Trail trail, SqlConnection transaction, User user) {
        return departures
                .requireNotNeeded(transaction, user)
                .compose(allowed -> run(trail, transaction, user, Published.ACCOUNT_DELETED));
    }

    /** The transaction must have held the lock of the user's row since it read the user. */
    public Future<Void> run(Trail trail, SqlConnection transaction, User user, Published fact) {
        var now = clock.instant();
        return forgetEmail(transaction, user)
                .compose(forgotten -> starts.remember(transaction, user))
                .compose(forgotten -> sessions.deleteAll(transaction, user.projectId(), user.id(), now))
                .compose(ended -> departures.leaveAll(trail, transaction, user))
                .compose(left -> users.delete(transaction, user.projectId(), user.id()))
                .compose(deleted -> trail.record(transaction, fact, user));
    }

    private Future<Void> forgetEmail(SqlClient transaction, User user) {
        var email = user.email();
        return email == null
                ? Future.succeededFuture()
                : lockout.clear(transaction, user.projectId(), email)
                        .compose(forgotten -> mails.forget(transaction, user.projectId(), email, user.isProven()));
    }
}
