package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.email.EmailVerification.VerificationRequest;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/verify-email}: verifies an email by a mailed code and opens a session. */
public final class VerifyEmailHandler implements ApiHandler {
    private final EmailVerification verification;
    private final DeviceReader devices;
    private final Auditor audit;

    public VerifyEmailHandler(EmailVerification verification, DeviceReader devices, Auditor audit) {
        this.verification = verification;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return verification
                .run(audit.of(ctx), Fields.read(Body.of(ctx), fields -> request(ctx, fields)))
                .map(Reply::ok);
    }

    private VerificationRequest request(RoutingContext ctx, Fields fields) {
        return new VerificationRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                fields.required("email", UserFields::email),
                fields.required("code", EmailCodes::parseVerificationCode),
                RequestLanguage.of(ctx),
                devices.read(ctx),
                devices.network(ctx));
    }
}
