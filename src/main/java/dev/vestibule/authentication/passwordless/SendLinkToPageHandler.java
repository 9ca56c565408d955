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

/** What {@link SendMagicLinkHandler} does, for the hosted page: the link leads there. */
public final class SendLinkToPageHandler implements ApiHandler {
    private final Database database;
    private final PasswordlessMails mails;
    private final DeviceReader devices;

    SendLinkToPageHandler(Database database, PasswordlessMails mails, DeviceReader devices) {
        this.database = database;
        this.mails = mails;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var email = Fields.read(Body.of(ctx), fields -> fields.required("email", UserFields::email));
        return mails.requestForHostedPage(
                        database.writes(),
                        project,
                        email,
                        RequestLanguage.of(ctx),
                        project.factors().passwordlessSignUp(),
                        devices.read(ctx))
                .map(asked -> Reply.ok(
                        Map.of("email", email, "message", PasswordlessRequest.message(PasswordlessKind.MAGIC_LINK))));
    }
}
