package dev.vestibule.authentication;

import dev.vestibule.access.CallerHandler;
import dev.vestibule.access.Devices;
import dev.vestibule.access.Languages;
import dev.vestibule.authentication.PasswordSignIn.Attempt;
import dev.vestibule.error.Refusal;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/signin}: opens a session by email and password. */
public final class SignInHandler implements ApiHandler {
    private final PasswordSignIn signIn;
    private final Devices devices;

    public SignInHandler(PasswordSignIn signIn, Devices devices) {
        this.signIn = signIn;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        if (CallerHandler.project(ctx).id().equals(ProjectId.SYSTEM)) {
            throw Refusal.forbidden("Dashboard users sign in at /v1/dashboard/auth/login.");
        }
        return signIn.run(Fields.read(Body.of(ctx), fields -> attempt(ctx, fields)))
                .map(Reply::ok);
    }

    private Attempt attempt(RoutingContext ctx, Fields fields) {
        return new Attempt(
                CallerHandler.project(ctx),
                CallerHandler.variant(ctx),
                fields.required("email", UserFields::email),
                fields.required("password", UserFields::presentedPassword),
                Languages.of(ctx),
                devices.of(ctx));
    }
}
