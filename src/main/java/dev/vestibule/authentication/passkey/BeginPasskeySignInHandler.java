package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.Caller;
import dev.vestibule.authentication.passkey.PasskeySignIn.Options;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/passkeys/authenticate/options}: a challenge for an email's passkeys, or any of the project. */
public final class BeginPasskeySignInHandler implements ApiHandler {
    /** Some clients read them at the top level, and others below. */
    private record Response(@JsonUnwrapped Options whole, Options options) {}

    private final PasskeySignIn signIn;

    BeginPasskeySignInHandler(PasskeySignIn signIn) {
        this.signIn = signIn;
    }

    /** Whether a page of this origin may ask for the passkeys of the project. */
    public boolean isOfferedTo(Project project, String origin) {
        return RelyingParty.mayAsk(project, origin);
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var body = Body.find(ctx).isPresent() ? Body.of(ctx) : JsonNodeFactory.instance.objectNode();
        var email = Fields.read(body, fields -> fields.optional("email", UserFields::email));
        return signIn.begin(Caller.project(ctx), email).map(options -> Reply.ok(new Response(options, options)));
    }
}
