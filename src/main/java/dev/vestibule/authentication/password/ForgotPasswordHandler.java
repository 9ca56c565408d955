package dev.vestibule.authentication.password;

import dev.vestibule.access.Caller;
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

/** {@code POST /v1/auth/password/forgot}: mails a code for a new password, if the email has an account. */
public final class ForgotPasswordHandler implements ApiHandler {
    private final Database database;
    private final MailOutbox outbox;

    public ForgotPasswordHandler(Database database, MailOutbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        return outbox.request(
                        database.writes(),
                        Caller.project(ctx),
                        CodePurpose.PASSWORD_RESET,
                        email,
                        RequestLanguage.of(ctx))
                .onSuccess(asked -> outbox.wakeUp())
                .map(asked -> Reply.ok(Map.of("sent", true)));
    }
}
