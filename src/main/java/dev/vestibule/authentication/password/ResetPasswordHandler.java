package dev.vestibule.authentication.password;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.password.PasswordReset.ResetRequest;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/password/reset}: sets a new password by a mailed code, and ends every session. */
public final class ResetPasswordHandler implements ApiHandler {
    private final PasswordReset reset;
    private final NewPasswords passwords;
    private final DeviceReader devices;
    private final Auditor audit;

    public ResetPasswordHandler(PasswordReset reset, NewPasswords passwords, DeviceReader devices, Auditor audit) {
        this.reset = reset;
        this.passwords = passwords;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        Caller.project(ctx).factors().requirePassword();
        return reset.run(audit.of(ctx), Fields.read(Body.of(ctx), fields -> request(ctx, fields)))
                .map(done -> Reply.success());
    }

    private ResetRequest request(RoutingContext ctx, Fields fields) {
        var project = Caller.project(ctx);
        var email = fields.required("email", UserFields::email);
        return new ResetRequest(
                project,
                devices.read(ctx),
                RequestLanguage.of(ctx),
                email,
                fields.required("code", EmailCodes::parseResetCode),
                fields.required("password", passwords.rule(email, null, project.name())));
    }
}
