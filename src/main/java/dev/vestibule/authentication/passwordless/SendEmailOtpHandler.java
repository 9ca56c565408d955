package dev.vestibule.authentication.passwordless;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.PasswordlessKind;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/auth/passwordless/email-otp}: mails a code that signs in. */
public final class SendEmailOtpHandler implements ApiHandler {
    private final Database database;
    private final PasswordlessMails mails;
    private final DeviceReader devices;

    SendEmailOtpHandler(Database database, PasswordlessMails mails, DeviceReader devices) {
        this.database = database;
        this.mails = mails;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        var kind = PasswordlessKind.EMAIL_OTP;
        return mails.request(
                        database.writes(),
                        project,
                        kind,
                        email,
                        RequestLanguage.of(ctx),
                        project.factors().passwordlessSignUp(),
                        devices.read(ctx))
                .map(asked -> Reply.ok(Map.of("message", PasswordlessRequest.message(kind))));
    }
}
