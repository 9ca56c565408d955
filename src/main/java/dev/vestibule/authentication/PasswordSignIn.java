package dev.vestibule.authentication;

import dev.vestibule.authentication.SignInLockout.WrongPassword;
import dev.vestibule.authentication.SignInStore.FailureKeys;
import dev.vestibule.authentication.SignInStore.SignInLookup;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.PasswordHasher.Outcome;
import dev.vestibule.crypto.PasswordHasher.ProjectHashes;
import dev.vestibule.crypto.PasswordHasher.VerifyResult;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.Opened;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;

/**
 * Signs in with email and password: one SELECT, one hash, one statement and its events. Neither the response nor its
 * timing reveals whether the email has an account.
 */
public final class PasswordSignIn {
    /** The email is in canonical form. */
    public record SignInRequest(
            Project project,
            ApiVariant variant,
            String email,
            SubmittedPassword password,
            Language language,
            Device device) {
        @Override
        public String toString() {
            return "SignInRequest[" + project.id() + "]";
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final SignInLockout lockout;
    private final PasswordHasher hasher;
    private final MailOutbox outbox;
    private final MfaChallenges challenges;
    private final RefusedAttempts refused;
    private final Clock clock;

    PasswordSignIn(
            Database database,
            SessionStore sessions,
            SignInLockout lockout,
            PasswordHasher hasher,
            MailOutbox outbox,
            MfaChallenges challenges,
            RefusedAttempts refused,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.lockout = lockout;
        this.hasher = hasher;
        this.outbox = outbox;
        this.challenges = challenges;
        this.refused = refused;
        this.clock = clock;
    }

    Future<SignInResult> open(SignInRequest request) {
        return tryOnce(request)
                // The hash may have changed because another sign in rehashed the same password, so check it again.
                .recover(failure -> failure instanceof AccountChanged ? tryOnce(request) : Future.failedFuture(failure))
                .recover(failure ->
                        Future.failedFuture(failure instanceof AccountChanged ? UserErrors.beingChanged() : failure));
    }

    private Future<SignInResult> tryOnce(SignInRequest request) {
        var keys = lockout.keys(request.project().id(), request.email(), request.device());
        return requireAllowed(request)
                .compose(allowed -> lockout.find(request.project().id(), request.email(), keys))
                .compose(lookup -> check(request, lookup, keys))
                .compose(signIn -> complete(request, signIn));
    }

    /** Before the password is checked, so that the refusal says nothing about it, or about the account. */
    private Future<Void> requireAllowed(SignInRequest request) {
        return sessions.connections()
                .requireAllowed(database.reads(), request.project().id(), request.email(), null)
                .onFailure(refusal -> recordRefusal(request, Optional.empty(), "sso_required"));
    }

    private Future<SignInResult> complete(SignInRequest request, SignIn signIn) {
        if (signIn.checked().user().isBanned()) {
            return refuseBanned(request, signIn);
        }
        if (mustVerify(request, signIn)) {
            return askToVerify(request, signIn);
        }
        return switch (signIn.checked().secondFactor(request.project())) {
            case TOTP -> askForCode(request, signIn);
            case PASSKEY -> askForPasskey(request, signIn);
            case NONE -> mustEnrol(request, signIn) ? askToEnrol(request, signIn) : openSession(request, signIn);
        };
    }

    private static boolean mustEnrol(SignInRequest request, SignIn signIn) {
        return MfaChallenges.mustEnrol(
                request.project(), signIn.checked(), signIn.authentication().at());
    }

    private static boolean mustVerify(SignInRequest request, SignIn signIn) {
        var project = request.project();
        var account = signIn.checked();
        return (project.requireEmailVerification() && !account.user().emailVerified())
                || MfaChallenges.mustVerifyFirst(
                        project, account, signIn.authentication().at());
    }

    /** The response shows that the password is right, so first checks for a lock set since the look-up. */
    private Future<SignInResult> refuseBanned(SignInRequest request, SignIn signIn) {
        recordRefusal(request, Optional.of(signIn.checked()), "banned");
        return refuseIfLocked(database.reads(), request, signIn).map(allowed -> {
            throw UserErrors.banned();
        });
    }

    /** Shows that the password is right too, as {@link #refuseBanned} does, so it checks for a lock. */
    private Future<SignInResult> askToVerify(SignInRequest request, SignIn signIn) {
        recordRefusal(request, Optional.of(signIn.checked()), "email_not_verified");
        return refuseIfLocked(database.reads(), request, signIn)
                .compose(allowed -> outbox.request(
                        database.writes(),
                        request.project(),
                        CodePurpose.VERIFICATION,
                        request.email(),
                        request.language(),
                        request.device()))
                .onSuccess(asked -> outbox.wakeUp())
                .map(asked -> VerificationRequired.of(request.email()));
    }

    /** Asks for a code. {@link MfaSignIn} opens the session, and checks again all that may have changed by then. */
    private Future<SignInResult> askForCode(SignInRequest request, SignIn signIn) {
        return refuseIfLocked(database.reads(), request, signIn)
                .compose(allowed ->
                        challenges.issue(database.writes(), signIn.checked(), request.variant(), signIn.rehashed()))
                .map(FactorRequired::of);
    }

    /** Refuses, since only the user's passkey proves the second factor here. */
    private Future<SignInResult> askForPasskey(SignInRequest request, SignIn signIn) {
        recordRefusal(request, Optional.of(signIn.checked()), "passkey_required");
        return refuseIfLocked(database.reads(), request, signIn).map(allowed -> {
            throw UserErrors.passkeyRequired();
        });
    }

    /** Gives a token with which the user sets up the factor that the project requires. */
    private Future<SignInResult> askToEnrol(SignInRequest request, SignIn signIn) {
        recordRefusal(request, Optional.of(signIn.checked()), "mfa_enrollment_required");
        return refuseIfLocked(database.reads(), request, signIn)
                .compose(allowed -> challenges.issueForEnrolment(
                        database.writes(), signIn.checked(), request.variant(), signIn.rehashed()))
                .map(required -> required);
    }

    private Future<SignInResult> openSession(SignInRequest request, SignIn signIn) {
        return open(request, signIn).map(user -> new Completed(signIn.session(), signIn.authentication(), user));
    }

    private Future<SignIn> check(SignInRequest request, SignInLookup lookup, FailureKeys keys) {
        var population = new ProjectHashes(request.project().id().value(), lookup.costliestImport());
        var locked = lockout.error(lookup.lockedUntil());
        if (locked.isPresent()) {
            recordRefusal(request, lookup.account(), "locked");
            return hasher.refuse(population, request.password()).compose(late -> Future.failedFuture(locked.get()));
        }
        var storedHash = lookup.account().map(Account::passwordHash).orElse(null);
        return hasher.verify(population, storedHash, request.password()).compose(result -> {
            if (!result.matches()) {
                return lockout.recordFailure(wrong(request, lookup.account(), result), keys)
                        .compose(error -> Future.failedFuture(error.orElseGet(() -> refusal(population, result))));
            }
            return Future.succeededFuture(signIn(request, lookup.account().orElseThrow(), result, keys.email()));
        });
    }

    private ApiException refusal(ProjectHashes population, VerifyResult result) {
        return result.outcome() == Outcome.UNVERIFIABLE || !hasher.canVerifyAllOf(population)
                ? PasswordHasher.unverifiable()
                : wrongCredentials();
    }

    private SignIn signIn(SignInRequest request, Account account, VerifyResult result, Buffer failuresKey) {
        return new SignIn(
                SessionId.next(),
                request.variant(),
                account,
                result.newHash(),
                failuresKey,
                request.device(),
                Authentication.by(Authentication.PASSWORD, clock.instant()));
    }

    private void recordRefusal(SignInRequest request, Optional<Account> account, String reason) {
        refused.signIn(request.project().id(), request.email(), request.device(), id(account), reason);
    }

    private static WrongPassword wrong(SignInRequest request, Optional<Account> account, VerifyResult result) {
        return new WrongPassword(
                request.project().id(),
                request.email(),
                request.device(),
                request.language(),
                id(account),
                result.outcome() == Outcome.UNVERIFIABLE ? "hash_too_large" : "wrong_password");
    }

    private static Optional<UserId> id(Optional<Account> account) {
        return account.map(found -> found.user().id());
    }

    private Future<User> open(SignInRequest request, SignIn signIn) {
        return database.inTransaction(transaction -> sessions.open(transaction, request.project(), signIn)
                        .compose(opened -> notifyOwner(transaction, request, opened)))
                .compose(opened ->
                        opened.isPresent() ? Future.succeededFuture(opened.get()) : openLocked(request, signIn));
    }

    private Future<Optional<User>> notifyOwner(
            SqlConnection transaction, SignInRequest request, Optional<Opened> opened) {
        return opened.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : outbox.notifyOfSignIn(transaction, opened.get(), request.device(), request.language())
                        .map(Optional::of);
    }

    /** The account changed while the password was hashed, so locks its row and reads it again. */
    private Future<User> openLocked(SignInRequest request, SignIn stale) {
        var project = request.project();
        return database.inTransaction(transaction -> users.lock(
                        transaction, project.id(), stale.checked().user().id())
                .map(found -> found.orElseThrow(PasswordSignIn::wrongCredentials))
                .compose(account -> refuseIfLocked(transaction, request, stale).map(allowed -> account))
                .compose(account -> sessions.open(transaction, project, renew(stale, account)))
                .compose(opened -> notifyOwner(transaction, request, opened))
                .map(opened -> opened.orElseThrow(PasswordSignIn::wrongCredentials)));
    }

    private static SignIn renew(SignIn stale, Account account) {
        if (account.user().isBanned()) {
            throw UserErrors.banned();
        }
        if (!Objects.equals(account.passwordHash(), stale.checked().passwordHash())
                || !account.user().secondFactors().equals(stale.checked().user().secondFactors())) {
            throw new AccountChanged();
        }
        return new SignIn(
                stale.session(),
                stale.variant(),
                account,
                stale.rehashed(),
                stale.failuresKey(),
                stale.device(),
                stale.authentication());
    }

    private Future<Void> refuseIfLocked(SqlClient db, SignInRequest request, SignIn stale) {
        var keys = lockout.keys(request.project().id(), request.email(), stale.device());
        return lockout.find(db, request.project().id(), request.email(), keys).map(lookup -> {
            lockout.error(lookup.lockedUntil()).ifPresent(error -> {
                throw error;
            });
            return null;
        });
    }

    private static final class AccountChanged extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AccountChanged() {
            super("the password hash or a second factor changed while the password was checked", null, false, false);
        }
    }

    private static ApiException wrongCredentials() {
        return ApiException.of(ErrorCode.WRONG_CREDENTIALS, "The email or the password is wrong.");
    }
}
