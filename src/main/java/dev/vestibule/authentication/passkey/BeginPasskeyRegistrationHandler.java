package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Options;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Registrant;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/passkeys/register/options}: what an authenticator needs to make a passkey. */
public final class BeginPasskeyRegistrationHandler implements ApiHandler {
    /** Some clients read them at the top level, and others below. */
    private record Response(@JsonUnwrapped Options whole, Options options) {}

    private final PasskeyRegistration registration;
    private final RecentSignIn recent;

    BeginPasskeyRegistrationHandler(PasskeyRegistration registration, RecentSignIn recent) {
        this.registration = registration;
        this.recent = recent;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        var body = Body.find(ctx).isPresent() ? Body.of(ctx) : JsonNodeFactory.instance.objectNode();
        var name = Fields.read(body, fields -> fields.optional("name", PasskeyFields::name));
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        RelyingParty.of(caller.project());
        recent.require(caller);
        return registration.begin(registrant, name).map(options -> Reply.ok(new Response(options, options)));
    }
}
