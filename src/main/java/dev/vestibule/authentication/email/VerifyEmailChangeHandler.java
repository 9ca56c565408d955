package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.email.EmailChange.Person;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.EmailCodes;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/me/email/verify}: changes the email by the code that was mailed to the new one. */
public final class VerifyEmailChangeHandler implements ApiHandler {
    private final EmailChange change;
    private final DeviceReader devices;
    private final Auditor audit;

    public VerifyEmailChangeHandler(EmailChange change, DeviceReader devices, Auditor audit) {
        this.change = change;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var code = Fields.read(Body.of(ctx), fields -> fields.required("code", EmailCodes::parseVerificationCode));
        var person = new Person(
                caller.project(),
                caller.user(),
                caller.token().session(),
                devices.read(ctx),
                RequestLanguage.of(ctx),
                audit.of(ctx));
        return change.verify(person, code, devices.network(ctx)).map(Reply::ok);
    }
}
