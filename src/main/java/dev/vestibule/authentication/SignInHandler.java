package dev.vestibule.authentication;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.PasswordSignIn.SignInRequest;
import dev.vestibule.authentication.factor.CodedSignIn;
import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;

/** Sign in with a password, the second half of a sign in, and sign in for tests. */
public final class SignInHandler {
    private final Database database;
    private final PasswordSignIn byPassword;
    private final MfaSignIn byFactor;
    private final TestingSignIn forTests;
    private final TokenIssuer tokens;

    SignInHandler(
            Database database,
            PasswordSignIn byPassword,
            MfaSignIn byFactor,
            TestingSignIn forTests,
            TokenIssuer tokens) {
        this.database = database;
        this.byPassword = byPassword;
        this.byFactor = byFactor;
        this.forTests = forTests;
        this.tokens = tokens;
    }

    /** {@code POST /v1/auth/signin}: opens a session with email and password. */
    public Future<Reply> signIn(ApiRequest request) {
        requirePassword(request);
        return byPassword(request);
    }

    /** Does the same as {@link #signIn} for the hosted page, which hands out no tokens. */
    public Future<SignInResult> signInOnPage(ApiRequest request) {
        requirePassword(request);
        return byPassword.open(passwordRequest(request));
    }

    private static void requirePassword(ApiRequest request) {
        if (request.project().id().equals(ProjectId.SYSTEM)) {
            throw ApiException.of(ErrorCode.DASHBOARD_ACCOUNT, "Dashboard users sign in at /v1/dashboard/auth/login.");
        }
        request.project().factors().requirePassword();
    }

    /** Opens a session with email and password in any project, including that of dashboard users. */
    public Future<Reply> byPassword(ApiRequest request) {
        return byPassword
                .open(passwordRequest(request))
                .compose(result -> tokens.respond(database.reads(), request.project(), request.variant(), result))
                .map(Reply::ok);
    }

    private SignInRequest passwordRequest(ApiRequest request) {
        return request.fields(fields -> passwordRequest(request, fields));
    }

    private SignInRequest passwordRequest(ApiRequest request, Fields fields) {
        return new SignInRequest(
                request.project(),
                request.variant(),
                fields.required("email", UserFields::email),
                fields.required("password", UserFields::submittedPassword),
                request.language(),
                request.device());
    }

    /** {@code POST /v1/auth/mfa/verify}: completes a sign in with the code of the second factor. */
    public Future<Reply> verifyMfa(ApiRequest request) {
        return byFactor.run(factorRequest(request)).map(Reply::ok);
    }

    /** Does the same as {@link #verifyMfa} for the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyMfaOnPage(ApiRequest request) {
        return byFactor.open(factorRequest(request)).map(CodedSignIn.Opened::session);
    }

    private CodedSignIn.Request factorRequest(ApiRequest request) {
        return request.fields(fields -> factorRequest(request, fields));
    }

    private CodedSignIn.Request factorRequest(ApiRequest request, Fields fields) {
        return new CodedSignIn.Request(
                request.project(),
                fields.required("mfaToken", FieldType.token()),
                fields.required("code", FactorCode::parse),
                request.language(),
                request.device(),
                request.trail());
    }

    /** {@code POST /v1/auth/testing/token}: tokens for the user with an email, for tests; never in a live project. */
    public Future<Reply> testingToken(ApiRequest request) {
        var project = request.project();
        if (project.environment() != Environment.TEST) {
            throw ApiException.of(
                    ErrorCode.TEST_PROJECT_REQUIRED, "Only projects whose environment is test have tokens for tests.");
        }
        var input = request.fields(fields -> new TestingSignIn.Request(
                project,
                request.variant(),
                fields.required("email", UserFields::email),
                fields.optional("nickname", UserFields::displayName),
                request.device()));
        return forTests.run(input).map(Reply::ok);
    }
}
