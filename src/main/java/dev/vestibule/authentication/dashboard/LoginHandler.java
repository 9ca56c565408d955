package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignIn;
import dev.vestibule.authentication.PasswordSignIn.SignInRequest;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/auth/login}: signs in a dashboard user, who is a user of the system project. */
public final class LoginHandler implements ApiHandler {
    private final PasswordSignIn signIn;
    private final DeviceReader devices;

    public LoginHandler(PasswordSignIn signIn, DeviceReader devices) {
        this.signIn = signIn;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        record Request(String email, SubmittedPassword password) {}
        var request = Fields.read(
                Body.of(ctx),
                fields -> new Request(
                        fields.required("email", UserFields::email),
                        fields.required("password", UserFields::submittedPassword)));
        return signIn.run(new SignInRequest(
                        Caller.project(ctx),
                        Caller.variant(ctx),
                        request.email(),
                        request.password(),
                        RequestLanguage.of(ctx),
                        devices.read(ctx)))
                .map(Reply::ok);
    }
}
