package dev.vestibule.authentication.email;

import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.oauth.identity.EmailProof;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
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
import java.util.Map;
import java.util.Optional;

/** Verifies an email by a mailed code and signs the user in, in one transaction. */
public final class EmailVerification {
    /** The fields are in canonical form. */
    record VerificationRequest(
            Project project, ApiVariant variant, String email, String code, Device device, Buffer network) {
        @Override
        public String toString() {
            return "VerificationRequest[" + project.id() + "]";
        }
    }

    private final Database database;
    private final EmailCodes codes;
    private final UserStore users;
    private final SessionStore sessions;
    private final EmailProof proof;
    private final MfaChallenges challenges;
    private final TokenIssuer tokens;
    private final RefusedAttempts refused;
    private final Clock clock;

    public EmailVerification(
            Database database,
            EmailCodes codes,
            UserStore users,
            SessionStore sessions,
            EmailProof proof,
            MfaChallenges challenges,
            TokenIssuer tokens,
            RefusedAttempts refused,
            Clock clock) {
        this.database = database;
        this.codes = codes;
        this.users = users;
        this.sessions = sessions;
        this.proof = proof;
        this.challenges = challenges;
        this.tokens = tokens;
        this.refused = refused;
        this.clock = clock;
    }

    Future<TokenResponse> run(AuditTrail trail, VerificationRequest request) {
        return database.inTransaction(transaction -> tryOnce(trail, transaction, request))
                .map(verified -> verified.orElseThrow(() -> refuse(request)))
                .map(EmailVerification::completed)
                .compose(opened -> tokens.open(database.reads(), request.project(), request.variant(), opened));
    }

    private ApiException refuse(VerificationRequest request) {
        refused.noteWithoutWaiting(
                database.reads(),
                AuditEvent.CODE_REFUSED,
                request.project().id(),
                request.email(),
                request.device(),
                Map.of("purpose", CodePurpose.VERIFICATION.text()));
        return EmailCodes.wrongCode();
    }

    /** A code by mail beside the second factor would be a way around the password. */
    private static ApiException secondFactorNeeded() {
        return ApiException.forbidden(
                "The email is verified. Sign in with your password and the code of your authenticator app.");
    }

    /** The email is verified now; there is no result where the user has a second factor. */
    private record Verified(Optional<SignInResult> result) {}

    private static Completed completed(Verified verified) {
        var result = verified.result().orElseThrow(EmailVerification::secondFactorNeeded);
        if (result instanceof EnrolmentRequired required) {
            throw required.error();
        }
        return (Completed) result;
    }

    /** Succeeds even with a wrong code: the transaction must commit the count of tries. */
    private Future<Optional<Verified>> tryOnce(
            AuditTrail trail, SqlConnection transaction, VerificationRequest request) {
        return codes.redeemVerification(
                        transaction, request.project().id(), request.email(), request.code(), request.network())
                .compose(user -> user.isEmpty()
                        ? Future.succeededFuture(Optional.<Account>empty())
                        : lockUnverified(transaction, request, user.get()))
                .compose(account -> account.isEmpty()
                        ? Future.succeededFuture(Optional.<Verified>empty())
                        : verify(trail, transaction, request, account.get()));
    }

    /** Empty where the user has another email by now, or the email is verified already. */
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

    private Future<Optional<Verified>> verify(
            AuditTrail trail, SqlConnection transaction, VerificationRequest request, Account account) {
        var byOwner = trail.as(account.user().id().value());
        if (account.hasSecondFactor()) {
            return proof.acceptOfSignUp(byOwner, transaction, account.user(), clock.instant())
                    .map(verified -> Optional.of(new Verified(Optional.empty())));
        }
        var session = SessionId.next();
        var authentication = Authentication.by(Authentication.MAIL, clock.instant());
        var signIn = SignIn.withoutPassword(session, request.variant(), account, request.device(), authentication);
        if (MfaChallenges.mustEnrol(request.project(), account, authentication.at())) {
            return proof.acceptOfSignUp(byOwner, transaction, account.user(), authentication.at())
                    .compose(verified ->
                            challenges.issueForEnrolment(transaction, account, request.variant(), authentication))
                    .map(required -> Optional.of(new Verified(Optional.of(required))));
        }
        return proof.acceptOfSignUp(byOwner, transaction, account.user(), authentication.at())
                .compose(verified -> sessions.open(transaction, request.project(), signIn))
                .map(opened -> opened.map(signedIn ->
                        new Verified(Optional.of(new Completed(session, authentication, signedIn.user())))));
    }
}
