package dev.vestibule.authentication.password;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * Sets a new password with a mailed code. It hashes before it checks the code, so that a wrong code and an unknown
 * email take the same time as a right one, and it uses up the code in the transaction that sets the password.
 */
public final class PasswordReset {
    /** The email and the password are in canonical form. */
    public record ResetRequest(
            Project project, Device device, Language language, String email, String code, String password) {
        @Override
        public String toString() {
            return "ResetRequest[" + project.id() + "]";
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final EmailProof proof;
    private final SessionStore sessions;
    private final SignInLockout lockout;
    private final EmailCodes codes;
    private final MailOutbox mails;
    private final EmailChanges emailChanges;
    private final NewPasswords passwords;
    private final RefusedAttempts refused;
    private final Clock clock;

    public PasswordReset(
            Database database,
            EmailProof proof,
            SessionStore sessions,
            SignInLockout lockout,
            Mails mails,
            NewPasswords passwords,
            RefusedAttempts refused,
            Clock clock) {
        this.database = database;
        this.proof = proof;
        this.sessions = sessions;
        this.lockout = lockout;
        this.codes = mails.codes();
        this.mails = mails.outbox();
        this.emailChanges = mails.changes();
        this.passwords = passwords;
        this.refused = refused;
        this.clock = clock;
    }

    public Future<Void> run(Trail trail, ResetRequest request) {
        return passwords
                .hash(request.project().id(), "password", request.password())
                .compose(hash -> database.inTransaction(transaction -> tryOnce(trail, transaction, request, hash)))
                .map(done -> {
                    if (!done) {
                        refused.recordInBackground(
                                database.reads(),
                                Logged.CODE_REFUSED,
                                request.project().id(),
                                request.email(),
                                request.device(),
                                Map.of("purpose", CodePurpose.PASSWORD_RESET.text()));
                        throw EmailCodes.wrongCode();
                    }
                    return null;
                });
    }

    /** Succeeds even with a wrong code: the transaction must commit the count of tries. */
    private Future<Boolean> tryOnce(Trail trail, SqlConnection transaction, ResetRequest request, String hash) {
        return codes.redeem(
                        transaction,
                        request.project().id(),
                        CodePurpose.PASSWORD_RESET,
                        request.email(),
                        request.code())
                .compose(user -> user.isEmpty()
                        ? Future.succeededFuture(false)
                        : lockOwner(transaction, request, user)
                                .compose(owner -> owner.isPresent()
                                        ? set(trail, transaction, request, owner.get(), hash)
                                                .map(true)
                                        : Future.succeededFuture(false)));
    }

    /** Empty if the user has another email by now. A banned user gets the same error as at sign in. */
    private Future<Optional<User>> lockOwner(SqlClient transaction, ResetRequest request, Optional<UserId> user) {
        return users.lock(transaction, request.project().id(), user.orElseThrow())
                .map(account -> account.map(Account::user)
                        .filter(found -> request.email().equals(found.email())))
                .map(owner -> {
                    if (owner.filter(User::isBanned).isPresent()) {
                        throw UserErrors.banned();
                    }
                    return owner;
                });
    }

    private Future<Void> set(Trail trail, SqlConnection transaction, ResetRequest request, User owner, String hash) {
        var project = request.project().id();
        var user = owner.id();
        var change = UserChange.none().withPasswordHash(hash);
        var now = clock.instant();
        var byOwner = trail.as(user.value());
        return sessions.endAll(transaction, project, user, EndReason.PASSWORD_CHANGED, now)
                .compose(ended -> proof.accept(byOwner, transaction, owner, change, now))
                .compose(set -> sessions.rememberNetwork(transaction, set, request.device(), now)
                        .compose(known -> emailChanges.endPending(transaction, project, user))
                        .compose(ended -> lockout.clear(transaction, project, request.email()))
                        .compose(cleared -> byOwner.record(
                                transaction,
                                Noticed.PASSWORD_RESET,
                                set,
                                Map.of(),
                                mails.to(set, Notice.of(now, request.device()), request.language()))));
    }
}
