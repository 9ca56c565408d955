package dev.vestibule.authentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignIn.SignInRequest;
import dev.vestibule.authentication.factor.FactorCode;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** Sign in with a password, the second half of a sign in, and sign in for tests. */
public final class SignInHandler {
    private final PasswordSignIn byPassword;
    private final MfaSignIn byFactor;
    private final TestingSignIn forTests;
    private final DeviceReader devices;
    private final Auditor audit;

    SignInHandler(
            PasswordSignIn byPassword,
            MfaSignIn byFactor,
            TestingSignIn forTests,
            DeviceReader devices,
            Auditor audit) {
        this.byPassword = byPassword;
        this.byFactor = byFactor;
        this.forTests = forTests;
        this.devices = devices;
        this.audit = audit;
    }

    /** {@code POST /v1/auth/signin}: opens a session with email and password. */
    public Future<Reply> signIn(RoutingContext ctx) {
        requirePassword(ctx);
        return byPassword(ctx);
    }

    /** What {@link #signIn} does on the hosted page, which hands out no tokens. */
    public Future<SignInResult> signInOnPage(RoutingContext ctx) {
        requirePassword(ctx);
        return byPassword.open(passwordRequest(ctx));
    }

    private static void requirePassword(RoutingContext ctx) {
        if (Caller.project(ctx).id().equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("Dashboard users sign in at /v1/dashboard/auth/login.");
        }
        Caller.project(ctx).factors().requirePassword();
    }

    /** Opens a session with email and password in any project, including that of dashboard users. */
    public Future<Reply> byPassword(RoutingContext ctx) {
        return byPassword.run(passwordRequest(ctx)).map(Reply::ok);
    }

    private SignInRequest passwordRequest(RoutingContext ctx) {
        return Fields.read(Body.of(ctx), fields -> passwordRequest(ctx, fields));
    }

    private SignInRequest passwordRequest(RoutingContext ctx, Fields fields) {
        return new SignInRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                fields.required("email", UserFields::email),
                fields.required("password", UserFields::submittedPassword),
                RequestLanguage.of(ctx),
                devices.read(ctx));
    }

    /** {@code POST /v1/auth/mfa/verify}: completes a sign in with the code of the second factor. */
    public Future<Reply> verifyMfa(RoutingContext ctx) {
        return byFactor.run(factorRequest(ctx)).map(Reply::ok);
    }

    /** What {@link #verifyMfa} does on the hosted page, which hands out no tokens. */
    public Future<SignInResult> verifyMfaOnPage(RoutingContext ctx) {
        return byFactor.open(factorRequest(ctx)).map(MfaSignIn.Opened::session);
    }

    private MfaSignIn.Request factorRequest(RoutingContext ctx) {
        return Fields.read(Body.of(ctx), fields -> factorRequest(ctx, fields));
    }

    private MfaSignIn.Request factorRequest(RoutingContext ctx, Fields fields) {
        return new MfaSignIn.Request(
                Caller.project(ctx),
                fields.required("mfaToken", FieldType.token()),
                fields.required("code", FactorCode::parse),
                RequestLanguage.of(ctx),
                devices.read(ctx),
                audit.of(ctx));
    }

    /** {@code POST /v1/auth/testing/token}: tokens for the user with an email, for tests; never in a live project. */
    public Future<Reply> testingToken(RoutingContext ctx) {
        var project = Caller.project(ctx);
        if (project.environment() != Environment.TEST) {
            throw ApiException.forbidden("Only projects whose environment is test have tokens for tests.");
        }
        var request = Fields.read(
                Body.of(ctx),
                fields -> new TestingSignIn.Request(
                        project,
                        Caller.variant(ctx),
                        fields.required("email", UserFields::email),
                        fields.optional("nickname", UserFields::displayName),
                        devices.read(ctx)));
        return forTests.run(request).map(Reply::ok);
    }
}
