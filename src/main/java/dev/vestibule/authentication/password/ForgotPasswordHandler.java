package dev.vestibule.authentication.password;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.authentication.RefusedAttempts;
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

/** {@code POST /v1/auth/password/forgot}: mails a code for a new password, if the email has an account. */
public final class ForgotPasswordHandler implements ApiHandler {
    private final Database database;
    private final MailOutbox outbox;
    private final RefusedAttempts attempts;
    private final DeviceReader devices;

    public ForgotPasswordHandler(Database database, MailOutbox outbox, RefusedAttempts attempts, DeviceReader devices) {
        this.database = database;
        this.outbox = outbox;
        this.attempts = attempts;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        Caller.project(ctx).factors().requirePassword();
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        var project = Caller.project(ctx);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return outbox.request(database.writes(), project, CodePurpose.PASSWORD_RESET, email, language, device)
                .onSuccess(asked -> outbox.wakeUp())
                .onSuccess(asked -> attempts.noteWithoutWaiting(
                        database.reads(), AuditEvent.PASSWORD_RESET_REQUESTED, project.id(), email, device, Map.of()))
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }
}
