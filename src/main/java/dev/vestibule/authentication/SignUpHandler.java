package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/signup}: creates a user and opens the first session. */
public final class SignUpHandler implements ApiHandler {
    private final PasswordSignUp signUp;
    private final DeviceReader devices;

    public SignUpHandler(PasswordSignUp signUp, DeviceReader devices) {
        this.signUp = signUp;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        if (Caller.project(ctx).id().equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("Dashboard users register at /v1/dashboard/auth/register.");
        }
        return signUp.run(Fields.read(Body.of(ctx), fields -> request(ctx, fields)))
                .map(Reply::created);
    }

    private SignUpRequest request(RoutingContext ctx, Fields fields) {
        var email = fields.required("email", UserFields::email);
        return new SignUpRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                email,
                fields.required("password", UserFields.newPasswordOf(email)),
                fields.optional("displayName", UserFields::displayName),
                RequestLanguage.of(ctx),
                devices.read(ctx));
    }
}
