package dev.vestibule.authentication.factor;

import dev.vestibule.authentication.factor.CodedSignIn.Opened;
import dev.vestibule.authentication.factor.CodedSignIn.Request;
import dev.vestibule.authentication.factor.Factors.Setup;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Completes the sign in of a person who must set up a second factor first. The token of the first half gets them a
 * secret for their app, and the app's code gets them the session. The user's row is locked from the first look-up on.
 */
final class EnrolmentSignIn {
    private final Database database;
    private final MfaChallenges challenges;
    private final Factors factors;
    private final SessionStore sessions;
    private final CodedSignIn coded;
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final Clock clock;

    EnrolmentSignIn(
            Database database,
            MfaChallenges challenges,
            Factors factors,
            SessionStore sessions,
            TokenIssuer tokens,
            Mails mails,
            Clock clock) {
        this.database = database;
        this.challenges = challenges;
        this.factors = factors;
        this.sessions = sessions;
        this.coded = new CodedSignIn(database, challenges, tokens);
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.clock = clock;
    }

    Future<Setup> setUp(Project project, String token) {
        return challenges
                .userToEnrol(database.reads(), project.id(), token)
                .compose(user -> database.inTransaction(transaction -> coded.lock(transaction, project, user)
                        .compose(account -> challenges
                                .find(transaction, project.id(), token)
                                .compose(challenge -> {
                                    requireValid(project, account, challenge);
                                    return factors.setUp(transaction, project, account.user());
                                }))));
    }

    Future<TokenResponse> confirm(Request request) {
        return open(request).compose(opened -> coded.tokens(request, opened));
    }

    /** Like {@link #confirm}, without tokens for the session. */
    Future<Opened> open(Request request) {
        return challenges
                .userToEnrol(database.reads(), request.project().id(), request.token())
                .compose(user -> coded.open(
                        request,
                        user,
                        (transaction, account, challenge) -> check(transaction, request, account, challenge)));
    }

    /** A factor that was set up in the meantime must be used: the token does not replace it. */
    private static void requireValid(Project project, Account account, MfaChallenge challenge) {
        if (account.hasSecondFactor(project) || !challenge.isFor(account)) {
            throw MfaChallenges.expired();
        }
        if (account.user().isBanned()) {
            throw UserErrors.banned();
        }
    }

    private Future<Optional<Opened>> check(
            SqlConnection transaction, Request request, Account account, MfaChallenge challenge) {
        requireValid(request.project(), account, challenge);
        var now = clock.instant();
        return factors.confirm(transaction, account.user(), request.code(), now)
                .compose(isRight -> isRight
                        ? open(transaction, request, account, challenge, now).map(Optional::of)
                        : Future.succeededFuture(Optional.empty()));
    }

    private Future<Opened> open(
            SqlConnection transaction, Request request, Account account, MfaChallenge challenge, Instant now) {
        var project = request.project();
        var user = account.user();
        var authentication = Authentication.withCode(challenge.methods(), now);
        var session = SessionId.next();
        return sessions.endAll(transaction, project.id(), user.id(), EndReason.FACTOR_ADDED, authentication.at())
                .compose(ended -> challenges.remove(transaction, project.id(), request.token()))
                .compose(removed -> coded.lock(transaction, project, user.id())) // with the new factor
                .compose(enrolled -> sessions.open(
                        transaction,
                        project,
                        SignIn.withoutPassword(session, challenge.variant(), enrolled, request.device(), authentication)
                                .connectedBy(challenge.connectedBy())))
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> mails.notifyOfSignIn(transaction, opened, request.device(), request.language()))
                .compose(owner -> request.trail()
                        .as(user.id().value())
                        .record(
                                transaction,
                                Noticed.FACTOR_SET_UP,
                                owner,
                                Factors.TOTP,
                                changes.to(project, owner, Notice.of(now, request.device()), request.language()))
                        .map(new Opened(challenge.variant(), new Completed(session, authentication, owner))));
    }
}
