package dev.vestibule.authentication.passwordless;

import dev.vestibule.access.Caller;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
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

/** {@code POST /v1/backend/passwordless/send}: mails a code for the application's server, which checks it here. */
public final class SendBackendPasswordlessHandler implements ApiHandler {
    private final Database database;
    private final PasswordlessMails mails;

    SendBackendPasswordlessHandler(Database database, PasswordlessMails mails) {
        this.database = database;
        this.mails = mails;
    }

    private record Request(String email, boolean signsUp) {}

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var request = Fields.readStrictly(
                Body.of(ctx), fields -> read(fields, project.factors().passwordlessSignUp()));
        return mails.request(
                        database.writes(),
                        project,
                        PasswordlessKind.EMAIL_OTP,
                        request.email(),
                        RequestLanguage.of(ctx),
                        request.signsUp(),
                        null)
                .map(asked -> Reply.ok(Map.of("message", PasswordlessRequest.message(PasswordlessKind.EMAIL_OTP))));
    }

    /** Who may create users may let an email sign up, whatever the project lets browsers do. */
    private static Request read(Fields fields, boolean byDefault) {
        var email = fields.required("email", UserFields::email);
        var type = fields.optional("type", SendBackendPasswordlessHandler::signsUp);
        return new Request(email, type == null ? byDefault : type);
    }

    private static boolean signsUp(String type) {
        return switch (type) {
            case "sign-up" -> true;
            case "sign-in" -> false;
            default -> throw new InvalidValueException("must be sign-in or sign-up");
        };
    }
}
