package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignIn.SignInRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/signin}: opens a session by email and password. */
public final class SignInHandler implements ApiHandler {
    private final PasswordSignIn signIn;
    private final DeviceReader devices;

    public SignInHandler(PasswordSignIn signIn, DeviceReader devices) {
        this.signIn = signIn;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return signIn.run(request(ctx)).map(Reply::ok);
    }

    /** The same on the hosted page, which hands out no tokens. */
    public Future<SignInResult> signInOnPage(RoutingContext ctx) {
        return signIn.open(request(ctx));
    }

    private SignInRequest request(RoutingContext ctx) {
        if (Caller.project(ctx).id().equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("Dashboard users sign in at /v1/dashboard/auth/login.");
        }
        Caller.project(ctx).factors().requirePassword();
        return Fields.read(Body.of(ctx), fields -> request(ctx, fields));
    }

    private SignInRequest request(RoutingContext ctx, Fields fields) {
        return new SignInRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                fields.required("email", UserFields::email),
                fields.required("password", UserFields::submittedPassword),
                RequestLanguage.of(ctx),
                devices.read(ctx));
    }
}
