package dev.vestibule.authentication.passwordless;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.passwordless.PasswordlessSignIn.Visitor;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** {@code POST /v1/auth/passwordless/verify}: signs in with the token of a link, or with an email and the code sent there. */
public final class VerifyPasswordlessHandler implements ApiHandler {
    private static final int MAX_TOKEN = 200;

    private final PasswordlessSignIn signIn;
    private final DeviceReader devices;
    private final Auditor audit;

    VerifyPasswordlessHandler(PasswordlessSignIn signIn, DeviceReader devices, Auditor audit) {
        this.signIn = signIn;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var visitor =
                new Visitor(project, Caller.variant(ctx), devices.read(ctx), RequestLanguage.of(ctx), audit.of(ctx));
        return Fields.read(Body.of(ctx), fields -> attempt(ctx, visitor, fields))
                .get();
    }

    private Supplier<Future<Reply>> attempt(RoutingContext ctx, Visitor visitor, Fields fields) {
        if (fields.isGiven("token")) {
            var token = fields.required("token", text -> Text.line(text, MAX_TOKEN));
            return () -> signIn.byLink(visitor, token).map(Reply::ok);
        }
        var email = fields.required("email", UserFields::email);
        var code = fields.required("code", EmailCodes::parseVerificationCode);
        return () -> signIn.byCode(visitor, email, code, devices.network(ctx)).map(Reply::ok);
    }
}
