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
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/**
 * Signs in with the token of a link on the hosted page, which knows the email for which its browser asked: the link of
 * another address is a wrong one there, and stays good, so that nobody is signed in by it as somebody else.
 */
public final class VerifyLinkOfPageHandler implements ApiHandler {
    private final PasswordlessSignIn signIn;
    private final DeviceReader devices;
    private final Auditor audit;

    VerifyLinkOfPageHandler(PasswordlessSignIn signIn, DeviceReader devices, Auditor audit) {
        this.signIn = signIn;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = PasswordlessRequest.allowed(Caller.project(ctx));
        var visitor =
                new Visitor(project, Caller.variant(ctx), devices.read(ctx), RequestLanguage.of(ctx), audit.of(ctx));
        var opened = Fields.read(Body.of(ctx), fields -> {
            var token = fields.required("token", text -> Text.line(text, VerifyPasswordlessHandler.MAX_TOKEN));
            var email = fields.required("email", UserFields::email);
            return (Supplier<Future<Reply>>)
                    () -> signIn.byLink(visitor, token, email).map(Reply::ok);
        });
        return opened.get();
    }
}
