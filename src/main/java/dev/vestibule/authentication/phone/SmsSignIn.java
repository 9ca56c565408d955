package dev.vestibule.authentication.phone;

import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.mail.sms.SmsCodes.Subject;
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
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactor;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.PhoneUser;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Signs in or signs up the user of a phone number with a code by SMS. */
public final class SmsSignIn {
    private static final Map<String, String> PURPOSE = Map.of("purpose", "sms_sign_in");

    /** The number is in the form of E.164, the code of six digits; the network is the client's. */
    public record Request(
            Project project,
            ApiVariant variant,
            String phone,
            String code,
            Language language,
            Device device,
            Buffer network,
            Trail trail) {
        @Override
        public String toString() {
            return "SmsSignIn.Request[" + project.id() + "]";
        }
    }

    private final Database database;
    private final SmsCodes codes;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final MailOutbox mails;
    private final FactorMeters meters;
    private final Clock clock;

    SmsSignIn(
            Database database,
            SmsCodes codes,
            SessionStore sessions,
            MfaChallenges challenges,
            EnrolmentStarts starts,
            MailOutbox mails,
            FactorMeters meters,
            Clock clock) {
        this.database = database;
        this.codes = codes;
        this.sessions = sessions;
        this.challenges = challenges;
        this.starts = starts;
        this.mails = mails;
        this.meters = meters;
        this.clock = clock;
    }

    /** Fails like a request for a code if the project does not offer this. */
    public void requireOn(Project project) {
        codes.requireOnIn(project);
    }

    /** Requests a code, no matter who has the number. */
    Future<Void> request(Project project, String phone, Language language, Buffer network) {
        var subject = Subject.signIn(project.id(), phone);
        return database.inTransaction(transaction -> codes.request(transaction, subject, language, network))
                .onSuccess(asked -> codes.wakeUp());
    }

    /** A refusal is a result, so that the transaction is committed: the code is used up, or the try is counted. */
    public Future<SignInResult> run(Request request) {
        return database.inTransaction(transaction -> tryOnce(transaction, request));
    }

    private Future<SignInResult> tryOnce(SqlConnection transaction, Request request) {
        var subject = Subject.signIn(request.project().id(), request.phone());
        return codes.redeem(transaction, subject, request.code(), request.device(), request.network())
                .onSuccess(redeemed -> meters.sms(redeemed.proof().isPresent()))
                .onFailure(this::countIfExhausted)
                .compose(redeemed -> redeemed.proof().isPresent()
                        ? codes.lockNumber(transaction, subject).compose(locked -> signInOrUp(transaction, request))
                        : Future.succeededFuture(wrongCode(request, redeemed.refusalOr(EmailCodes::wrongCode))));
    }

    private void countIfExhausted(Throwable failure) {
        if (failure instanceof ApiException refusal && refusal.status() == ErrorStatus.TOO_MANY_REQUESTS) {
            meters.smsExhausted();
        }
    }

    /** One result for a wrong code, and for an unknown number if numbers cannot sign up. */
    private static SignInResult wrongCode(Request request, ApiException answer) {
        request.trail().enqueueRefusedSignIn(Logged.CODE_REFUSED, Target.NONE, PURPOSE);
        return new Refused(answer);
    }

    private Future<SignInResult> signInOrUp(SqlConnection transaction, Request request) {
        return users.idsOfVerifiedPhone(transaction, request.project().id(), request.phone())
                .compose(found -> switch (found.size()) {
                    case 0 -> signUp(transaction, request);
                    case 1 -> signIn(transaction, request, found.get(0));
                    default ->
                        Future.succeededFuture(new Refused(ApiException.of(
                                ErrorCode.AMBIGUOUS_PHONE,
                                "Several accounts have this phone number. Sign in another way.")));
                });
    }

    private Future<SignInResult> signUp(SqlConnection transaction, Request request) {
        if (!request.project().factors().passwordlessSignUp()) {
            return Future.succeededFuture(wrongCode(request, EmailCodes.wrongCode()));
        }
        if (request.project().requireEmailVerification()) {
            return Future.succeededFuture(new Refused(emailRequired()));
        }
        var now = clock.instant();
        var project = request.project().id();
        return users.insert(transaction, project, new PhoneUser(UserId.next(), request.phone(), now))
                .compose(created -> starts.resume(transaction, request.project(), created, List.of()))
                .compose(created -> request.trail()
                        .as(created.id().value())
                        .record(transaction, Published.SIGNED_UP, created, Map.of("amr", List.of(Authentication.SMS)))
                        .compose(recorded -> open(transaction, request, new Account(created, null))));
    }

    private Future<SignInResult> signIn(SqlConnection transaction, Request request, UserId user) {
        return users.lock(transaction, request.project().id(), user)
                .map(found -> found.filter(account -> account.user().hasVerified(request.phone()))
                        .orElseThrow(UserErrors::beingChanged)) // the number was just removed from the profile
                .compose(account -> refusal(request, account)
                        .<Future<SignInResult>>map(why -> Future.succeededFuture(refuse(request, account, why.get())))
                        .orElseGet(() -> open(transaction, request, account)));
    }

    private static Optional<Supplier<ApiException>> refusal(Request request, Account account) {
        if (account.user().isBanned()) {
            return Optional.of(UserErrors::banned);
        }
        var secondFactor = account.secondFactor(request.project());
        if (secondFactor == SecondFactor.PASSKEY) {
            return Optional.of(UserErrors::passkeyRequired);
        }
        if (secondFactor == SecondFactor.TOTP && account.user().canHavePassword(request.project())) {
            return Optional.of(SmsSignIn::secondFactorNeeded);
        }
        return request.project().requireEmailVerification() && !account.user().emailVerified()
                ? Optional.of(SmsSignIn::emailRequired)
                : Optional.empty();
    }

    private static SignInResult refuse(Request request, Account account, ApiException why) {
        request.trail()
                .enqueueRefusedSignIn(
                        Logged.CODE_REFUSED, Target.user(account.user().id().value()), PURPOSE);
        return new Refused(why);
    }

    private static ApiException secondFactorNeeded() {
        return ApiException.of(
                ErrorCode.MFA_REQUIRED, "This account has a second factor. Sign in with your password or a passkey.");
    }

    private static ApiException emailRequired() {
        return ApiException.of(
                ErrorCode.VERIFICATION_REQUIRED, "This project requires a verified email. Sign in another way.");
    }

    private Future<SignInResult> open(SqlConnection transaction, Request request, Account account) {
        var session = SessionId.next();
        var authentication = Authentication.by(Authentication.SMS, clock.instant());
        if (account.hasSecondFactor(request.project())) {
            return challenges
                    .issueAfter(transaction, account, request.variant(), authentication.methods())
                    .map(FactorRequired::of);
        }
        if (MfaChallenges.mustEnrol(request.project(), account, authentication.at())) {
            return challenges
                    .issueForEnrolment(transaction, account, request.variant(), authentication)
                    .map(required -> required);
        }
        var signIn = SignIn.withoutPassword(session, request.variant(), account, request.device(), authentication);
        return sessions.open(transaction, request.project(), signIn)
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> sessions.rememberNetworkForPhone(
                                transaction, opened.user(), request.device(), clock.instant())
                        .map(opened))
                .compose(opened -> mails.notifyOfSignIn(transaction, opened, request.device(), request.language()))
                .map(user -> new Completed(session, authentication, user));
    }
}
