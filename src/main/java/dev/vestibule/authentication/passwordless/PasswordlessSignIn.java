package dev.vestibule.authentication.passwordless;

import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.mail.PasswordlessMails.Proof;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs in a person with a mailed code or link, or signs them up if the email has no account and the project allows it.
 */
public final class PasswordlessSignIn {
    /** Who wants to sign in, as far as the request says. */
    record Visitor(Project project, ApiVariant variant, Device device, Language language, Trail trail) {
        @Override
        public String toString() {
            return "Visitor[" + project.id() + "]";
        }
    }

    /** The result, and whether another browser had requested the link, or null if that is unknown. */
    record ByLink(SignInResult result, @Nullable Boolean requestedElsewhere) {}

    private final Database database;
    private final PasswordlessMails mails;
    private final EmailOwners owners;
    private final SessionStore sessions;
    private final MfaChallenges challenges;
    private final MailOutbox notices;
    private final RefusedAttempts refused;
    private final FactorMeters meters;
    private final Clock clock;

    PasswordlessSignIn(
            Database database,
            Mails mails,
            EmailOwners owners,
            SessionStore sessions,
            MfaChallenges challenges,
            RefusedAttempts refused,
            FactorMeters meters,
            Clock clock) {
        this.database = database;
        this.mails = mails.passwordless();
        this.owners = owners;
        this.sessions = sessions;
        this.challenges = challenges;
        this.notices = mails.outbox();
        this.refused = refused;
        this.meters = meters;
        this.clock = clock;
    }

    /** The email and the code are in canonical form. */
    Future<SignInResult> byCode(Visitor visitor, String email, String code, Buffer network) {
        var wrong = EmailCodes.wrongCode();
        return proveByCode(visitor.project(), visitor.device(), email, code, network)
                .map(found -> found.orElseThrow(() -> wrong))
                .compose(proof -> signIn(visitor, proof, wrong));
    }

    /** Counts the try; if the code is wrong, records that in the audit log and returns empty. */
    Future<Optional<Proof>> proveByCode(Project project, Device device, String email, String code, Buffer network) {
        return database.inTransaction(
                        transaction -> mails.tryCode(transaction, project.id(), email, code, device, network))
                .onFailure(failure -> {
                    if (failure instanceof ApiException) {
                        meters.emailOtpExhausted();
                    }
                })
                .map(redeemed -> {
                    var found = redeemed.proof();
                    meters.emailOtp(found.isPresent());
                    if (found.isEmpty()) {
                        refused.signInByCode(
                                database.reads(),
                                project.id(),
                                email,
                                device,
                                Map.of("purpose", CodePurpose.EMAIL_OTP.text()));
                        redeemed.refusal().ifPresent(error -> {
                            throw error;
                        });
                    }
                    return found;
                });
    }

    /** Before a mail is sent that could not sign in. */
    Future<Void> requireAllowed(Project project, String email) {
        return sessions.connections().requireAllowed(database.reads(), project.id(), email, null);
    }

    /** Only the right token identifies its account, so a wrong one names none in the audit log. */
    Future<ByLink> byLink(Visitor visitor, String token) {
        return prove(visitor, token, null)
                .compose(proof -> signIn(visitor, proof, wrongLink())
                        .map(result -> new ByLink(
                                result,
                                mails.isFromAnotherBrowser(proof, visitor.device())
                                        .orElse(null))));
    }

    /** Signs in with a link to this email; one to another email is refused. */
    Future<SignInResult> byLink(Visitor visitor, String token, String email) {
        return prove(visitor, token, email).compose(proof -> signIn(visitor, proof, wrongLink()));
    }

    private Future<Proof> prove(Visitor visitor, String token, @Nullable String email) {
        return mails.findLink(database.reads(), visitor.project().id(), token)
                .map(found -> found.filter(proof -> email == null || email.equals(proof.email())))
                .onSuccess(found -> {
                    meters.magicLink(found.isPresent());
                    if (found.isEmpty()) {
                        visitor.trail()
                                .enqueueRefusedSignIn(
                                        Logged.CODE_REFUSED,
                                        Target.NONE,
                                        Map.of("purpose", CodePurpose.MAGIC_LINK.text()));
                    }
                })
                .map(found -> found.orElseThrow(PasswordlessSignIn::wrongLink));
    }

    private static ApiException wrongLink() {
        return ApiException.of(ErrorCode.INVALID_LINK, "The link is wrong, was used, or has expired.");
    }

    private Future<SignInResult> signIn(Visitor visitor, Proof proof, ApiException wrong) {
        return owners.withAccount(
                visitor.project(),
                visitor.trail(),
                proof,
                wrong,
                (transaction, account) -> open(transaction, visitor, account));
    }

    private Future<SignInResult> open(SqlConnection transaction, Visitor visitor, Account account) {
        var session = SessionId.next();
        var authentication = Authentication.by(Authentication.MAIL, clock.instant());
        if (account.hasSecondFactor(visitor.project())) {
            return challenges
                    .issueAfter(transaction, account, visitor.variant(), authentication.methods())
                    .map(FactorRequired::of);
        }
        if (MfaChallenges.mustEnrol(visitor.project(), account, authentication.at())) {
            return challenges
                    .issueForEnrolment(transaction, account, visitor.variant(), authentication)
                    .map(required -> required);
        }
        var signIn = SignIn.withoutPassword(session, visitor.variant(), account, visitor.device(), authentication);
        return sessions.open(transaction, visitor.project(), signIn)
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> notices.notifyOfSignIn(transaction, opened, visitor.device(), visitor.language()))
                .map(user -> new Completed(session, authentication, user));
    }
}
