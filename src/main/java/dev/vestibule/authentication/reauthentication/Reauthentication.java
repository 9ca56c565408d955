package dev.vestibule.authentication.reauthentication;

import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.authentication.factor.Factors;
import dev.vestibule.authentication.passkey.PasskeyProof;
import dev.vestibule.authentication.password.CurrentPassword;
import dev.vestibule.authentication.password.CurrentPassword.Given;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.mail.PasswordlessMails.Proof;
import dev.vestibule.mail.RedemptionResult;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.RenewableSession;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionErrors;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reauthenticates the user of a session, and says so in new tokens. */
public final class Reauthentication {
    /** The user who reauthenticates, and their session. */
    record Request(Project project, User user, SessionId session, Device device, Trail trail) {
        @Override
        public String toString() {
            return "Request[" + user.id() + "]";
        }
    }

    /**
     * What a person typed as a code.
     *
     * @param mailed null if the text does not have the form of a mailed code
     * @param network the client's
     */
    record Code(FactorCode ofFactor, @Nullable String mailed, Buffer network) {
        @Override
        public String toString() {
            return "Code";
        }
    }

    /** The session, and what the access token in this response says about the user's authentication. */
    private record Renewed(RenewableSession found, Authentication authentication) {}

    private final Database database;
    private final UserStore users = new UserStore();
    private final CurrentPassword currentPassword;
    private final PasskeyProof passkeys;
    private final Factors factors;
    private final PasswordlessMails mails;
    private final SessionStore sessions;
    private final ActiveSessionStore activeSessions = new ActiveSessionStore();
    private final TokenIssuer tokens;
    private final Clock clock;

    public Reauthentication(
            Database database,
            CurrentPassword currentPassword,
            PasskeyProof passkeys,
            Factors factors,
            PasswordlessMails mails,
            SessionStore sessions,
            TokenIssuer tokens,
            Clock clock) {
        this.database = database;
        this.currentPassword = currentPassword;
        this.passkeys = passkeys;
        this.factors = factors;
        this.mails = mails;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Also needs a code of the second factor if the user has one; a 403 without it. */
    Future<TokenResponse> byPassword(Request request, SubmittedPassword password, @Nullable Code code) {
        var email = request.user().email();
        if (email == null) {
            throw noPassword();
        }
        var given = new Given(request.project().id(), request.user().id(), email, request.device(), password);
        return requireAllowed(request)
                .compose(allowed -> currentPassword.check(given))
                .map(stored -> stored.orElseThrow(Reauthentication::noPassword))
                .compose(checked -> database.inTransaction(transaction -> lock(transaction, request)
                        .map(account -> requireSamePassword(account, checked))
                        .compose(account -> withPassword(transaction, request, account, code))))
                .map(renewed -> renewed.orElseThrow(Factors::wrongCode))
                .compose(renewed -> issue(request, renewed));
    }

    /** A way to sign in that the user's domain no longer allows does not prove a recent sign in either. */
    private Future<Void> requireAllowed(Request request) {
        return sessions.connections()
                .requireAllowed(
                        database.reads(), request.project().id(), request.user().email(), null);
    }

    /** A password that was changed after the check renews nothing. */
    private static Account requireSamePassword(Account account, String checked) {
        if (!checked.equals(account.passwordHash())) {
            throw UserErrors.beingChanged();
        }
        return account;
    }

    private Future<Optional<Renewed>> withPassword(
            SqlConnection transaction, Request request, Account account, @Nullable Code code) {
        var now = clock.instant();
        var secondFactor = account.secondFactor(request.project());
        if (secondFactor == SecondFactor.NONE) {
            return renew(transaction, request, Authentication.by(Authentication.PASSWORD, now))
                    .map(Optional::of);
        }
        if (secondFactor == SecondFactor.PASSKEY) {
            throw UserErrors.passkeyRequired();
        }
        if (code == null) {
            throw ApiException.of(
                    ErrorCode.SECOND_FACTOR_REQUIRED,
                    "This account has a second factor. Send a code with the password, or use a passkey.");
        }
        var both = Authentication.withCode(List.of(Authentication.PASSWORD), now);
        return byFactor(transaction, request, account, code, both);
    }

    private static ApiException noPassword() {
        return ApiException.of(
                ErrorCode.NO_PASSWORD, "This account has no password. Use a passkey or a code, or sign in again.");
    }

    /**
     * Reauthenticates with one of the user's own passkeys, which must verify the person if one factor does not open a
     * session.
     */
    Future<TokenResponse> byPasskey(Request request, PasskeyProof.Given given) {
        return passkeys.check(given)
                .compose(checked -> database.inTransaction(transaction -> lock(transaction, request)
                        .compose(account -> passkeys.use(transaction, account, checked))
                        .compose(authentication -> renew(transaction, request, authentication))))
                .compose(renewed -> issue(request, renewed));
    }

    /**
     * Reauthenticates with a one-time password or backup code if the user has these, otherwise with a mailed code; a
     * 401 for a wrong one, and a 409 if no code could be right.
     */
    Future<TokenResponse> byCode(Request request, Code code) {
        return database.inTransaction(transaction -> lock(transaction, request)
                        .compose(account -> switch (account.secondFactor(request.project())) {
                            case TOTP ->
                                byFactor(transaction, request, account, code, oneTimePassword())
                                        .map(Optional::of);
                            case PASSKEY -> Future.failedFuture(UserErrors.passkeyRequired());
                            case NONE -> Future.succeededFuture(Optional.<Optional<Renewed>>empty());
                        }))
                .compose(tried -> tried.map(Future::succeededFuture).orElseGet(() -> byMail(request, code)))
                .map(renewed -> renewed.orElseThrow(Factors::wrongCode))
                .compose(renewed -> issue(request, renewed));
    }

    private Authentication oneTimePassword() {
        return Authentication.by(Authentication.ONE_TIME_PASSWORD, clock.instant());
    }

    /** Succeeds even with a wrong code: the transaction must commit the count of tries. */
    private Future<Optional<Renewed>> byFactor(
            SqlConnection transaction, Request request, Account account, Code code, Authentication proved) {
        return factors.check(transaction, account.user(), code.ofFactor(), request.device())
                .compose(verdict -> {
                    if (!verdict.isRight()) {
                        request.trail().enqueue(Logged.FACTOR_FAILED, target(request), Factors.WRONG_CODE);
                        return Future.succeededFuture(Optional.empty());
                    }
                    return renew(transaction, request, proved).map(Optional::of);
                });
    }

    private Future<Optional<Renewed>> byMail(Request request, Code code) {
        var user = request.user();
        var email = user.email();
        if (email == null
                || !user.emailVerified()
                || !request.project().factors().passwordless()
                || request.project().id().equals(ProjectId.SYSTEM)) {
            throw ApiException.of(
                    ErrorCode.EMAIL_REQUIRED, "No code is mailed to this account. Use another way, or sign in again.");
        }
        return requireAllowed(request)
                .compose(allowed -> tryMailed(request, email, code))
                .compose(redeemed -> {
                    var found = redeemed.proof();
                    if (found.isEmpty()) {
                        request.trail().enqueue(Logged.CODE_REFUSED, target(request), Map.of("purpose", "email_otp"));
                        return redeemed.refusal()
                                .<Future<Optional<Renewed>>>map(Future::failedFuture)
                                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
                    }
                    return database.inTransaction(transaction -> useMailed(transaction, request, found.get()));
                });
    }

    /** Counts the try in its own transaction, like that of a sign in: using up a code must lock the user first. */
    private Future<RedemptionResult<Proof>> tryMailed(Request request, String email, Code code) {
        var text = code.mailed();
        return text == null
                ? Future.succeededFuture(new RedemptionResult<>(Optional.empty(), Optional.empty()))
                : database.inTransaction(transaction -> mails.tryCode(
                        transaction, request.project().id(), email, text, request.device(), code.network()));
    }

    /** The second of two concurrent uses of one code finds it used. */
    private Future<Optional<Renewed>> useMailed(SqlConnection transaction, Request request, Proof proof) {
        return lock(transaction, request)
                .map(account -> requireUnchanged(request, account, proof))
                .compose(account -> mails.take(transaction, proof))
                .compose(isTaken -> {
                    if (!isTaken) {
                        return Future.succeededFuture(Optional.empty());
                    }
                    var authentication = Authentication.by(Authentication.MAIL, clock.instant());
                    return renew(transaction, request, authentication).map(Optional::of);
                });
    }

    /** A second factor may have been added in the meantime, or the email may have changed. */
    private static Account requireUnchanged(Request request, Account account, Proof proof) {
        var user = account.user();
        if (account.hasSecondFactor(request.project())
                || !user.emailVerified()
                || !proof.email().equals(user.email())) {
            throw UserErrors.beingChanged();
        }
        return account;
    }

    private Future<Account> lock(SqlConnection transaction, Request request) {
        return users.lock(transaction, request.project().id(), request.user().id())
                .map(found -> found.orElseThrow(UserErrors::beingChanged));
    }

    private static Target target(Request request) {
        return Target.user(request.user().id().value());
    }

    /** The session's row does not change: it is the same for everybody who holds a token of the session. */
    private Future<Renewed> renew(SqlConnection transaction, Request request, Authentication proved) {
        return activeSessions
                .findToRenew(transaction, request.user(), request.session(), proved.at())
                .map(found -> found.orElseThrow(UserErrors::beingChanged))
                .map(found ->
                        new Renewed(found, found.session().authentication().renewedBy(proved)))
                .compose(renewed -> request.trail()
                        .record(
                                transaction,
                                Logged.REAUTHENTICATED,
                                Target.session(request.session().value()))
                        .map(renewed));
    }

    /** Includes the current refresh token, for clients that store everything in the response to a sign in. */
    private Future<TokenResponse> issue(Request request, Renewed renewed) {
        var session = renewed.found().session();
        return sessions.requireCurrent(
                        request.project().id(),
                        request.session(),
                        session.person(),
                        clock.instant(),
                        SessionErrors::ended)
                .compose(isCurrent -> tokens.issue(
                        database.reads(),
                        request.project(),
                        renewed.found().variant(),
                        request.session(),
                        session.generation(),
                        session.person().with(renewed.authentication()),
                        Duration.between(renewed.authentication().at(), session.expiresAt())));
    }
}
