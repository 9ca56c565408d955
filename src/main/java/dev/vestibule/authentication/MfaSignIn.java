package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.CodedSignIn;
import dev.vestibule.authentication.factor.CodedSignIn.Opened;
import dev.vestibule.authentication.factor.CodedSignIn.Request;
import dev.vestibule.authentication.factor.Factors;
import dev.vestibule.authentication.factor.Factors.Verdict;
import dev.vestibule.authentication.factor.MfaChallenge;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The second half of a sign in, by password or at a provider, of a user with a second factor. One transaction locks the
 * user's row, checks again what the first half had checked, takes the code and opens the session.
 */
final class MfaSignIn {
    private final Database database;
    private final SessionStore sessions;
    private final SignInLockout lockout;
    private final MfaChallenges challenges;
    private final Factors factors;
    private final CodedSignIn coded;
    private final MailOutbox mails;
    private final Clock clock;

    MfaSignIn(
            Database database,
            SessionStore sessions,
            SignInLockout lockout,
            MfaChallenges challenges,
            Factors factors,
            TokenIssuer tokens,
            MailOutbox mails,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.lockout = lockout;
        this.challenges = challenges;
        this.factors = factors;
        this.coded = new CodedSignIn(database, challenges, tokens);
        this.mails = mails;
        this.clock = clock;
    }

    Future<TokenResponse> run(Request request) {
        return open(request).compose(opened -> coded.tokens(request, opened));
    }

    /** Like {@link #run}, without tokens for the session. */
    Future<Opened> open(Request request) {
        return challenges
                .userOf(database.reads(), request.project().id(), request.token())
                .compose(user -> coded.open(
                        request,
                        user,
                        (transaction, account, challenge) -> check(transaction, request, account, challenge)));
    }

    private Future<Optional<Opened>> check(
            SqlConnection transaction, Request request, Account account, MfaChallenge challenge) {
        var email = account.user().email();
        if (account.secondFactor(request.project()) != SecondFactor.TOTP || !challenge.isFor(account)) {
            throw MfaChallenges.expired();
        }
        if (challenge.methods().contains(Authentication.PASSWORD)) {
            request.project().factors().requirePassword();
        }
        if (account.user().isBanned()) {
            throw UserErrors.banned();
        }
        return refuseIfLocked(transaction, request, email, challenge)
                .compose(allowed -> factors.check(transaction, account.user(), request.code(), request.device()))
                .compose(verdict -> verdict.isRight()
                        ? open(transaction, request, account, email, challenge, verdict)
                                .map(Optional::of)
                        : Future.succeededFuture(Optional.empty()));
    }

    /**
     * Guesses of the password lock only sign ins with one. Runs before the code is compared, so that even a right one
     * reveals nothing.
     */
    private Future<Void> refuseIfLocked(
            SqlConnection transaction, Request request, @Nullable String email, MfaChallenge challenge) {
        if (email == null || !challenge.methods().contains(Authentication.PASSWORD)) {
            return Future.succeededFuture();
        }
        var project = request.project().id();
        return lockout.find(transaction, project, email, lockout.keys(project, email, request.device()))
                .map(lookup -> {
                    lockout.error(lookup.lockedUntil()).ifPresent(error -> {
                        throw error;
                    });
                    return null;
                });
    }

    private Future<Opened> open(
            SqlConnection transaction,
            Request request,
            Account account,
            @Nullable String email,
            MfaChallenge challenge,
            Verdict verdict) {
        var project = request.project();
        var session = SessionId.next();
        var authentication = Authentication.withCode(challenge.methods(), clock.instant());
        var failures = email == null || !challenge.methods().contains(Authentication.PASSWORD)
                ? SignIn.NO_FAILURES
                : lockout.keys(project.id(), email, request.device()).email();
        var signIn = new SignIn(session, challenge.variant(), account, null, failures, request.device(), authentication)
                .connectedBy(challenge.connectedBy());
        var trail = request.trail().as(account.user().id().value());
        return challenges
                .remove(transaction, project.id(), request.token())
                .compose(removed -> sessions.open(transaction, project, signIn))
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> mails.notifyOfSignIn(transaction, opened, request.device(), request.language()))
                .compose(user -> trail.record(
                                transaction,
                                Logged.FACTOR_VERIFIED,
                                Target.session(session.value()),
                                Map.of("factor", verdict.name().toLowerCase(Locale.ROOT)))
                        .map(new Opened(challenge.variant(), new Completed(session, authentication, user))));
    }
}
