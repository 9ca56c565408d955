package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** Sign up with email and password. */
public final class SignUpHandler {
    private final PasswordSignUp signUp;
    private final NewPasswords passwords;
    private final DeviceReader devices;

    SignUpHandler(PasswordSignUp signUp, NewPasswords passwords, DeviceReader devices) {
        this.signUp = signUp;
        this.passwords = passwords;
        this.devices = devices;
    }

    /** {@code POST /v1/auth/signup}: creates a user and opens the first session. */
    public Future<Reply> signUp(RoutingContext ctx) {
        return signUp.run(request(ctx)).map(Reply::created);
    }

    /** What {@link #signUp} does on the hosted page, which hands out no tokens. */
    public Future<SignInResult> signUpOnPage(RoutingContext ctx) {
        return signUp.open(request(ctx));
    }

    private SignUpRequest request(RoutingContext ctx) {
        if (Caller.project(ctx).id().equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("Dashboard users register at /v1/dashboard/auth/register.");
        }
        Caller.project(ctx).factors().requirePassword();
        return Fields.read(Body.of(ctx), fields -> request(ctx, fields));
    }

    private SignUpRequest request(RoutingContext ctx, Fields fields) {
        var project = Caller.project(ctx);
        var email = fields.required("email", UserFields::email);
        var displayName = fields.optional("displayName", UserFields::displayName);
        return new SignUpRequest(
                project,
                Caller.variant(ctx),
                email,
                fields.required("password", passwords.rule(email, displayName, project.name())),
                displayName,
                RequestLanguage.of(ctx),
                devices.read(ctx));
    }
}
