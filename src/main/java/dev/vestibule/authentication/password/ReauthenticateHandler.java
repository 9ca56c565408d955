package dev.vestibule.authentication.password;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.authentication.password.Reauthentication.Request;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/reauthenticate}: by the password, tokens of the same session that tell of a recent sign in. */
public final class ReauthenticateHandler implements ApiHandler {
    private final Reauthentication reauthentication;
    private final DeviceReader devices;
    private final Auditor audit;

    public ReauthenticateHandler(Reauthentication reauthentication, DeviceReader devices, Auditor audit) {
        this.reauthentication = reauthentication;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        caller.project().factors().requirePassword();
        var password = Fields.read(Body.of(ctx), fields -> fields.required("password", UserFields::submittedPassword));
        return reauthentication
                .run(
                        audit.of(ctx),
                        new Request(
                                caller.project(), caller.user(), caller.token().session(), devices.read(ctx), password))
                .map(Reply::ok);
    }
}
