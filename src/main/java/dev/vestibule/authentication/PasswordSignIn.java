package dev.vestibule.authentication;

import dev.vestibule.authentication.AccountStore.SignInLookup;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.PasswordHasher.VerifyResult;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResponse;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Objects;

/**
 * Signs in with email and password: one SELECT, one hash, one statement and its events. Nothing in the answer or its time tells
 * whether the email has an account.
 */
public final class PasswordSignIn {
    /** Who says so, and from where; the email in canonical form. */
    public record Attempt(
            Project project,
            ApiVariant variant,
            String email,
            SubmittedPassword password,
            Language language,
            Device device) {
        @Override
        public String toString() {
            return "Attempt[" + project.id() + "]";
        }
    }

    private final Database database;
    private final AccountStore accounts;
    private final UserStore users;
    private final SessionStore sessions;
    private final FailedSignIns failures;
    private final PasswordHasher hasher;
    private final TokenIssuer tokens;
    private final MailOutbox outbox;
    private final Clock clock;

    PasswordSignIn(
            Database database,
            AccountStore accounts,
            UserStore users,
            SessionStore sessions,
            FailedSignIns failures,
            PasswordHasher hasher,
            TokenIssuer tokens,
            MailOutbox outbox,
            Clock clock) {
        this.database = database;
        this.accounts = accounts;
        this.users = users;
        this.sessions = sessions;
        this.failures = failures;
        this.hasher = hasher;
        this.tokens = tokens;
        this.outbox = outbox;
        this.clock = clock;
    }

    public Future<SignInResponse> run(Attempt attempt) {
        return signIn(attempt)
                .compose(result -> tokens.respond(database.reads(), attempt.project(), attempt.variant(), result));
    }

    private Future<SignInResult> signIn(Attempt attempt) {
        return tryOnce(attempt)
                // A hash that changed meanwhile may be the same password at today's cost: it is checked afresh.
                .recover(
                        failure -> failure instanceof PasswordChanged ? tryOnce(attempt) : Future.failedFuture(failure))
                .recover(failure ->
                        Future.failedFuture(failure instanceof PasswordChanged ? UserErrors.beingChanged() : failure));
    }

    private Future<SignInResult> tryOnce(Attempt attempt) {
        var failuresKey = failures.key(attempt.email());
        return accounts.find(database.reads(), attempt.project().id(), attempt.email(), failuresKey)
                .compose(standing -> check(attempt, standing, failuresKey))
                .compose(signIn -> mustVerify(attempt, signIn) ? askToVerify(attempt, signIn) : admit(attempt, signIn));
    }

    private static boolean mustVerify(Attempt attempt, SignIn signIn) {
        return attempt.project().requireEmailVerification()
                && !signIn.checked().user().emailVerified();
    }

    /** Says that the password is right, so it holds to a lock that guesses at it have set meanwhile. */
    private Future<SignInResult> askToVerify(Attempt attempt, SignIn signIn) {
        return refuseIfLocked(database.reads(), attempt, signIn)
                .compose(allowed -> outbox.request(
                        database.writes(),
                        attempt.project(),
                        CodePurpose.VERIFICATION,
                        attempt.email(),
                        attempt.language()))
                .onSuccess(asked -> outbox.wakeUp())
                .map(asked -> VerificationRequired.of(attempt.email()));
    }

    private Future<SignInResult> admit(Attempt attempt, SignIn signIn) {
        return open(attempt, signIn).map(user -> new Completed(signIn.session(), user));
    }

    private Future<SignIn> check(Attempt attempt, SignInLookup standing, Buffer failuresKey) {
        var locked = failures.refusal(standing.lockedUntil());
        if (locked.isPresent()) {
            return Future.failedFuture(locked.get());
        }
        var storedHash = standing.account().map(Account::passwordHash).orElse(null);
        return hasher.verify(storedHash, attempt.password()).compose(result -> {
            if (!result.matches()) {
                return failures.count(attempt.project().id(), failuresKey)
                        .compose(refusal -> Future.failedFuture(refusal.orElseGet(PasswordSignIn::wrongCredentials)));
            }
            return Future.succeededFuture(signIn(attempt, standing.account().orElseThrow(), result, failuresKey));
        });
    }

    private SignIn signIn(Attempt attempt, Account account, VerifyResult result, Buffer failuresKey) {
        if (account.user().isBanned()) {
            throw UserErrors.banned();
        }
        return new SignIn(SessionId.next(), account, result.newHash(), failuresKey, attempt.device(), clock.instant());
    }

    private Future<User> open(Attempt attempt, SignIn signIn) {
        return database.inTransaction(transaction -> sessions.open(transaction, attempt.project(), signIn))
                .compose(opened ->
                        opened.isPresent() ? Future.succeededFuture(opened.get()) : openLocked(attempt, signIn));
    }

    /** The account changed while the password was hashed: looks again, and holds it still meanwhile. */
    private Future<User> openLocked(Attempt attempt, SignIn stale) {
        var project = attempt.project();
        return database.inTransaction(transaction -> users.lock(
                        transaction, project.id(), stale.checked().user().id())
                .map(found -> found.orElseThrow(PasswordSignIn::wrongCredentials))
                .compose(account -> refuseIfLocked(transaction, attempt, stale).map(allowed -> account))
                .compose(account -> sessions.open(transaction, project, renew(stale, account)))
                .map(opened -> opened.orElseThrow(PasswordSignIn::wrongCredentials)));
    }

    private static SignIn renew(SignIn stale, Account account) {
        if (account.user().isBanned()) {
            throw UserErrors.banned();
        }
        if (!Objects.equals(account.passwordHash(), stale.checked().passwordHash())) {
            throw new PasswordChanged();
        }
        return new SignIn(stale.session(), account, stale.rehashed(), stale.failuresKey(), stale.device(), stale.now());
    }

    private Future<Void> refuseIfLocked(SqlClient db, Attempt attempt, SignIn stale) {
        return accounts.lockedUntil(db, attempt.project().id(), stale.failuresKey(), clock.instant())
                .map(until -> {
                    failures.refusal(until.orElse(null)).ifPresent(refusal -> {
                        throw refusal;
                    });
                    return null;
                });
    }

    private static final class PasswordChanged extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PasswordChanged() {
            super("the password hash changed while the password was checked", null, false, false);
        }
    }

    private static ApiException wrongCredentials() {
        return ApiError.unauthorized("The email or the password is wrong.");
    }
}
