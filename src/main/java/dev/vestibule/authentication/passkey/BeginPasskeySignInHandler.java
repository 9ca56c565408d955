package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.authentication.passkey.PasskeySignIn.Options;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/passkeys/authenticate/options}: a challenge for any passkey of the project. */
public final class BeginPasskeySignInHandler implements ApiHandler {
    /** Some clients read them at the top level, and others below. */
    private record Response(@JsonUnwrapped Options whole, Options options) {}

    private final PasskeySignIn signIn;

    BeginPasskeySignInHandler(PasskeySignIn signIn) {
        this.signIn = signIn;
    }

    /** An email changes nothing, or the response would tell whose accounts there are. */
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        if (Body.find(ctx).isPresent()) {
            Fields.read(Body.of(ctx), fields -> fields.optional("email", UserFields::email) == null);
        }
        return signIn.begin(project).map(options -> Reply.ok(new Response(options, options)));
    }
}
