package dev.vestibule.authentication.password;

import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;

/** Changes the password of a signed-in user, who must also enter the current one. */
public final class PasswordChange {
    /** The passwords are in canonical form. */
    public record Request(
            ProjectId project,
            UserId user,
            String email,
            SessionId session,
            Device device,
            Language language,
            SubmittedPassword current,
            String wanted) {
        @Override
        public String toString() {
            return "Request[" + user + "]";
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final SessionStore sessions;
    private final MailOutbox mails;
    private final EmailChanges emailChanges;
    private final CurrentPassword currentPassword;
    private final NewPasswords passwords;
    private final Clock clock;

    public PasswordChange(
            Database database,
            SessionStore sessions,
            Mails mails,
            CurrentPassword currentPassword,
            NewPasswords passwords,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.mails = mails.outbox();
        this.emailChanges = mails.changes();
        this.currentPassword = currentPassword;
        this.passwords = passwords;
        this.clock = clock;
    }

    public Future<Void> run(Trail trail, Request request) {
        return currentPassword
                .check(given(request))
                .map(stored -> stored.orElseThrow(() -> ApiException.of(
                        ErrorCode.NO_PASSWORD,
                        "This account has no password. Set one with a code from password/forgot.")))
                .compose(checked -> passwords
                        .hash(request.project(), "newPassword", request.wanted())
                        .compose(hash -> database.inTransaction(
                                transaction -> set(trail, transaction, request, checked, hash))));
    }

    private static CurrentPassword.Given given(Request request) {
        return new CurrentPassword.Given(
                request.project(), request.user(), request.email(), request.device(), request.current());
    }

    /**
     * Replaces only the hash that was checked, so that only one of two concurrent changes wins and no reset is undone.
     */
    private Future<Void> set(Trail trail, SqlConnection transaction, Request request, String checked, String hash) {
        var project = request.project();
        var change = UserChange.none().withPasswordHash(hash);
        var now = clock.instant();
        return active.lockAccount(transaction, project, request.session(), request.user(), now)
                .map(account -> {
                    if (!Objects.equals(account.passwordHash(), checked)) {
                        throw UserErrors.beingChanged();
                    }
                    return account;
                })
                .compose(same -> sessions.endOthers(
                        transaction, project, request.user(), request.session(), EndReason.PASSWORD_CHANGED, now))
                .compose(ended -> users.update(transaction, project, request.user(), change, now))
                .compose(changed -> emailChanges
                        .endPending(transaction, project, request.user())
                        .map(changed.orElseThrow()))
                .compose(changed -> trail.record(
                        transaction,
                        Noticed.PASSWORD_CHANGED,
                        changed,
                        Map.of(),
                        mails.to(changed, Notice.of(now, request.device()), request.language())));
    }
}
