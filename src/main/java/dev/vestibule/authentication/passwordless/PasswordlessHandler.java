package dev.vestibule.authentication.passwordless;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.authentication.passwordless.PasswordlessSignIn.Visitor;
import dev.vestibule.authentication.phone.SmsSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sign in without a password, for applications, the hosted page and servers. */
public final class PasswordlessHandler {
    private static final int MAX_TOKEN = 200;

    /** The response to a link; {@code requestedElsewhere} is left out if it is unknown. */
    private record LinkResponse(
            @JsonUnwrapped TokenResponse tokens,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean requestedElsewhere) {
        @Override
        public String toString() {
            return "LinkResponse";
        }
    }

    private final Database database;
    private final PasswordlessMails mails;
    private final PasswordlessSignIn signIn;
    private final EmailOwners owners;
    private final SmsSignIn bySms;
    private final MfaChallenges challenges;
    private final TokenIssuer tokens;
    private final Clock clock;

    PasswordlessHandler(
            Database database,
            PasswordlessMails mails,
            PasswordlessSignIn signIn,
            EmailOwners owners,
            SmsSignIn bySms,
            MfaChallenges challenges,
            TokenIssuer tokens,
            Clock clock) {
        this.database = database;
        this.mails = mails;
        this.signIn = signIn;
        this.owners = owners;
        this.bySms = bySms;
        this.challenges = challenges;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * {@code POST /v1/auth/passwordless/magic-link}: mails a link that signs in, or a code if the project has no page
     * for it.
     */
    public Future<Reply> sendMagicLink(ApiRequest request) {
        return send(request, linkOf(request.project()));
    }

    /** A link needs a page that posts its token; without one its mail carries a code. */
    private static CodePurpose linkOf(Project project) {
        return project.magicLinkPage() == null ? CodePurpose.EMAIL_OTP : CodePurpose.MAGIC_LINK;
    }

    /** {@code POST /v1/auth/passwordless/email-otp}: mails a code that signs in. */
    public Future<Reply> sendEmailOtp(ApiRequest request) {
        return send(request, CodePurpose.EMAIL_OTP);
    }

    private Future<Reply> send(ApiRequest request, CodePurpose purpose) {
        var project = allowed(request);
        var email = request.fields(fields -> fields.required("email", UserFields::email));
        return signIn.requireAllowed(project, email)
                .compose(allowed -> mails.request(
                        database.writes(),
                        project,
                        purpose,
                        email,
                        request.language(),
                        owners.canSignUp(project, email),
                        request.device()))
                .map(asked -> Reply.ok(Map.of("message", message(purpose))));
    }

    /**
     * Does the same as {@link #sendMagicLink} for the hosted page, to which the link leads. Returns the email in
     * canonical form.
     */
    public Future<String> sendLinkToPage(ApiRequest request) {
        var project = allowed(request);
        var email = request.fields(fields -> fields.required("email", UserFields::email));
        return signIn.requireAllowed(project, email)
                .compose(allowed -> mails.requestForHostedPage(
                        database.writes(),
                        project,
                        email,
                        request.language(),
                        owners.canSignUp(project, email),
                        request.device()))
                .map(asked -> email);
    }

    /**
     * {@code POST /v1/auth/passwordless/verify}: signs in with the token of a link, or with an email and the code sent
     * there.
     */
    public Future<Reply> verify(ApiRequest request) {
        return request.fields(fields -> fields.isGiven("token") && !isBySms(fields)
                        ? byLink(request, fields)
                        : answered(request, byCode(request, fields)))
                .get();
    }

    /** Signs in with the code sent to an email or a phone on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyCodeOnPage(ApiRequest request) {
        return request.fields(fields -> byCode(request, fields)).get();
    }

    private Supplier<Future<Reply>> answered(ApiRequest request, Supplier<Future<SignInResult>> signIn) {
        return () -> signIn.get()
                .compose(result -> tokens.respond(database.reads(), request.project(), request.variant(), result))
                .map(Reply::ok);
    }

    private Supplier<Future<SignInResult>> byCode(ApiRequest request, Fields fields) {
        return isBySms(fields) ? bySms(request, fields) : byMail(request, fields);
    }

    private static boolean isBySms(Fields fields) {
        return fields.isGiven("phone") || fields.holds("email", PasswordlessHandler::isNumber);
    }

    /** Some clients send the number as the email: it has a digit, and nothing that only an email has. */
    private static boolean isNumber(String email) {
        return email.codePoints().anyMatch(Character::isDigit)
                && email.codePoints().noneMatch(c -> c == '@' || Character.isLetter(c));
    }

    private Supplier<Future<SignInResult>> bySms(ApiRequest request, Fields fields) {
        var input = smsRequest(request, fields);
        return () -> bySms.run(input);
    }

    private SmsSignIn.Request smsRequest(ApiRequest request, Fields fields) {
        var project = request.project();
        bySms.requireOn(project);
        var field = fields.isGiven("phone") ? "phone" : "email";
        return new SmsSignIn.Request(
                project,
                request.variant(),
                fields.required(field, UserFields.phone(project.defaultCountry())),
                fields.required("code", EmailCodes::parseVerificationCode),
                request.language(),
                request.device(),
                request.network(),
                request.trail());
    }

    private Supplier<Future<Reply>> byLink(ApiRequest request, Fields fields) {
        var visitor = visitor(request);
        var token = fields.required("token", text -> Text.line(text, MAX_TOKEN));
        return () -> signIn.byLink(visitor, token)
                .compose(opened -> tokens.respond(
                                database.reads(), visitor.project(), visitor.variant(), opened.result())
                        .map(response -> Reply.ok(
                                response instanceof TokenResponse issued
                                        ? new LinkResponse(issued, opened.requestedElsewhere())
                                        : response)));
    }

    private Supplier<Future<SignInResult>> byMail(ApiRequest request, Fields fields) {
        var visitor = visitor(request);
        var email = fields.required("email", UserFields::email);
        var code = fields.required("code", EmailCodes::parseVerificationCode);
        return () -> signIn.byCode(visitor, email, code, request.network());
    }

    /**
     * Signs in with the token of a link on the hosted page, which knows the email for which its browser asked. A link
     * for another address is refused there, and stays valid, so that nobody is signed in as somebody else.
     */
    public Future<SignInResult> verifyLinkOfPage(ApiRequest request) {
        var visitor = visitor(request);
        var opened = request.fields(fields -> {
            var token = fields.required("token", text -> Text.line(text, MAX_TOKEN));
            var email = fields.required("email", UserFields::email);
            return (Supplier<Future<SignInResult>>) () -> signIn.byLink(visitor, token, email);
        });
        return opened.get();
    }

    private Visitor visitor(ApiRequest request) {
        return new Visitor(allowed(request), request.variant(), request.device(), request.language(), request.trail());
    }

    private record BackendSendRequest(String email, boolean signsUp) {
        /** A server, which can create users, can let an email sign up, whatever the project lets browsers do. */
        static BackendSendRequest of(Fields fields, boolean byDefault) {
            var email = fields.required("email", UserFields::email);
            var type = fields.optional("type", PasswordlessHandler::signsUp);
            return new BackendSendRequest(email, type == null ? byDefault : type);
        }
    }

    private static boolean signsUp(String type) {
        return switch (type) {
            case "sign-up" -> true;
            case "sign-in" -> false;
            default -> throw new InvalidValueException("must be sign-in or sign-up");
        };
    }

    /** {@code POST /v1/backend/passwordless/send}: mails a code for the application's server, which checks it here. */
    public Future<Reply> sendForBackend(ApiRequest request) {
        var project = allowed(request);
        var input = request.allFields(
                fields -> BackendSendRequest.of(fields, project.factors().passwordlessSignUp()));
        return signIn.requireAllowed(project, input.email())
                .compose(allowed -> mails.request(
                        database.writes(),
                        project,
                        CodePurpose.EMAIL_OTP,
                        input.email(),
                        request.language(),
                        input.signsUp(),
                        null))
                .map(asked -> Reply.ok(Map.of("message", message(CodePurpose.EMAIL_OTP))));
    }

    private record BackendVerifyRequest(String email, String code) {}

    private record Verified(
            boolean valid,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            UserId userId) {
        static final Verified INVALID = new Verified(false, null);
    }

    /**
     * {@code POST /v1/backend/passwordless/verify}: whether a code is right, and the user to whom it was sent; it opens
     * no session.
     */
    public Future<Reply> verifyForBackend(ApiRequest request) {
        var project = allowed(request);
        var input = request.allFields(fields -> new BackendVerifyRequest(
                fields.required("email", UserFields::email),
                fields.required("code", EmailCodes::parseVerificationCode)));
        var variant = request.variant();
        var wrong = EmailCodes.wrongCode();
        return signIn.requireAllowed(project, input.email())
                .compose(allowed ->
                        signIn.proveByCode(project, request.device(), input.email(), input.code(), request.network()))
                .compose(proof -> proof.isEmpty()
                        ? Future.succeededFuture(Verified.INVALID)
                        : owners.withAccount(
                                        project,
                                        request.trail(),
                                        proof.get(),
                                        wrong,
                                        (transaction, account) -> answer(transaction, project, variant, account))
                                .map(Supplier::get)
                                .recover(failure -> failure == wrong
                                        ? Future.succeededFuture(Verified.INVALID)
                                        : Future.failedFuture(failure)))
                .map(Reply::ok);
    }

    /**
     * The response after the commit; the refusals are the same as for a sign in that opens a session, and the code
     * alone is not enough for a user with one-time passwords.
     */
    private Future<Supplier<Verified>> answer(
            SqlConnection transaction, Project project, ApiVariant variant, Account account) {
        if (account.hasSecondFactor(project)) {
            return Future.succeededFuture(() -> {
                throw UserErrors.factorRequired();
            });
        }
        var authentication = Authentication.by(Authentication.MAIL, clock.instant());
        return MfaChallenges.mustEnrol(project, account, authentication.at())
                ? challenges
                        .issueForEnrolment(transaction, account, variant, authentication)
                        .map(required -> () -> {
                            throw required.error();
                        })
                : Future.succeededFuture(() -> new Verified(true, account.user().id()));
    }

    /** A 404 if the project has switched this off, and for dashboard users, whose accounts own all projects. */
    private static Project allowed(ApiRequest request) {
        var project = request.project();
        if (project.id().equals(ProjectId.SYSTEM)) {
            throw ApiException.of(
                    ErrorCode.FEATURE_DISABLED,
                    "Dashboard users sign in with their password at /v1/dashboard/auth/login.");
        }
        project.factors().requirePasswordless();
        return project;
    }

    /** Does not tell whether a mail is sent. */
    private static String message(CodePurpose purpose) {
        return "If this email can sign in, a " + (purpose == CodePurpose.MAGIC_LINK ? "link" : "code")
                + " is on its way to it.";
    }
}
