package dev.vestibule.authentication.email;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.mail.RedemptionResult;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResponse;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Verifies an email by a mailed code and signs the user in, in one transaction. */
public final class EmailVerification {
    /** The fields are in canonical form. */
    record VerificationRequest(
            Project project,
            ApiVariant variant,
            String email,
            String code,
            Language language,
            Device device,
            Buffer network) {
        @Override
        public String toString() {
            return "VerificationRequest[" + project.id() + "]";
        }
    }

    private final Database database;
    private final EmailCodes codes;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final EmailProof proof;
    private final MfaChallenges challenges;
    private final MailOutbox mails;
    private final TokenIssuer tokens;
    private final RefusedAttempts refused;
    private final Clock clock;

    public EmailVerification(
            Database database,
            Mails mails,
            SessionStore sessions,
            EmailProof proof,
            MfaChallenges challenges,
            TokenIssuer tokens,
            RefusedAttempts refused,
            Clock clock) {
        this.database = database;
        this.codes = mails.codes();
        this.sessions = sessions;
        this.proof = proof;
        this.challenges = challenges;
        this.mails = mails.outbox();
        this.tokens = tokens;
        this.refused = refused;
        this.clock = clock;
    }

    Future<SignInResponse> run(Trail trail, VerificationRequest request) {
        return open(trail, request)
                .compose(result -> tokens.respond(database.reads(), request.project(), request.variant(), result));
    }

    /** Like {@link #run}, without tokens for the session. */
    Future<SignInResult> open(Trail trail, VerificationRequest request) {
        return database.inTransaction(transaction -> tryOnce(trail, transaction, request))
                .map(verified -> verified.proof().orElseThrow(() -> refuse(request, verified)));
    }

    private ApiException refuse(VerificationRequest request, RedemptionResult<?> wrong) {
        refused.recordInBackground(
                database.reads(),
                Logged.CODE_REFUSED,
                request.project().id(),
                request.email(),
                request.device(),
                Map.of("purpose", CodePurpose.VERIFICATION.text()));
        return wrong.refusalOr(EmailCodes::wrongCode);
    }

    /** Succeeds even with a wrong code: the transaction must commit the count of tries. */
    private Future<RedemptionResult<SignInResult>> tryOnce(
            Trail trail, SqlConnection transaction, VerificationRequest request) {
        return codes.redeemVerification(
                        transaction,
                        request.project().id(),
                        request.email(),
                        request.code(),
                        request.device(),
                        request.network())
                .compose(redeemed -> (redeemed.proof().isEmpty()
                                ? Future.succeededFuture(Optional.<Account>empty())
                                : lockUnverified(
                                        transaction, request, redeemed.proof().get()))
                        .compose(account -> account.isEmpty()
                                ? Future.succeededFuture(Optional.<SignInResult>empty())
                                : verify(trail, transaction, request, account.get()))
                        .map(result -> new RedemptionResult<>(result, redeemed.refusal())));
    }

    /** Empty if the user has another email by now, or the email is already verified. */
    private Future<Optional<Account>> lockUnverified(SqlClient transaction, VerificationRequest request, UserId user) {
        return users.lock(transaction, request.project().id(), user)
                .map(found -> found.filter(account -> isToBeVerified(account.user(), request)));
    }

    private static boolean isToBeVerified(User user, VerificationRequest request) {
        if (!request.email().equals(user.email()) || user.emailVerified()) {
            return false;
        }
        if (user.isBanned()) {
            throw UserErrors.banned();
        }
        return true;
    }

    /**
     * The proof has removed earlier factors. Either a stranger who signed up, or the reader of this mail, may have set
     * them up.
     */
    private Future<Optional<SignInResult>> verify(
            Trail trail, SqlConnection transaction, VerificationRequest request, Account before) {
        var byOwner = trail.as(before.user().id().value());
        var authentication = Authentication.by(Authentication.MAIL, clock.instant());
        return proof.accept(byOwner, transaction, before.user(), UserChange.none(), authentication.at())
                .compose(verified -> tellAboutRemoval(transaction, request, before, verified))
                .map(verified -> new Account(verified, before.passwordHash()))
                .compose(account -> open(transaction, request, account, authentication));
    }

    private Future<User> tellAboutRemoval(
            SqlConnection transaction, VerificationRequest request, Account before, User verified) {
        var notice = Notice.of(clock.instant(), request.device());
        return before.user().secondFactors().hasTotp()
                        && !verified.secondFactors().hasTotp()
                ? mails.to(verified, notice, request.language())
                        .tell(transaction, NoticeKind.FACTOR_REMOVED)
                        .map(verified)
                : Future.succeededFuture(verified);
    }

    private Future<Optional<SignInResult>> open(
            SqlConnection transaction, VerificationRequest request, Account account, Authentication authentication) {
        var secondFactor = account.secondFactor(request.project());
        if (secondFactor != SecondFactor.NONE) {
            var error =
                    secondFactor == SecondFactor.PASSKEY ? UserErrors.passkeyRequired() : UserErrors.factorRequired();
            return Future.succeededFuture(Optional.of(new Refused(error)));
        }
        if (MfaChallenges.mustEnrol(request.project(), account, authentication.at())) {
            return challenges
                    .issueForEnrolment(transaction, account, request.variant(), authentication)
                    .map(Optional::of);
        }
        var session = SessionId.next();
        var signIn = SignIn.withoutPassword(session, request.variant(), account, request.device(), authentication);
        return sessions.open(transaction, request.project(), signIn)
                .map(opened -> opened.map(signedIn -> new Completed(session, authentication, signedIn.user())));
    }
}
