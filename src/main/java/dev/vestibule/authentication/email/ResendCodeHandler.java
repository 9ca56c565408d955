package dev.vestibule.authentication.email;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/auth/resend-code}: mails a new code, if the email has an account that is not verified yet. */
public final class ResendCodeHandler implements ApiHandler {
    private final Database database;
    private final MailOutbox outbox;
    private final DeviceReader devices;

    public ResendCodeHandler(Database database, MailOutbox outbox, DeviceReader devices) {
        this.database = database;
        this.outbox = outbox;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        return outbox.request(
                        database.writes(),
                        Caller.project(ctx),
                        CodePurpose.VERIFICATION,
                        email,
                        RequestLanguage.of(ctx),
                        devices.read(ctx))
                .onSuccess(asked -> outbox.wakeUp())
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }
}
