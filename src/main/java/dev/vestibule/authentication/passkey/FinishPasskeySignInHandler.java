package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.passkey.PasskeyNews.Teller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/passkeys/authenticate/verify}: opens a session by a challenge that a passkey has signed. */
public final class FinishPasskeySignInHandler implements ApiHandler {
    private final PasskeySignIn signIn;
    private final Auditor audit;
    private final DeviceReader devices;

    FinishPasskeySignInHandler(PasskeySignIn signIn, Auditor audit, DeviceReader devices) {
        this.signIn = signIn;
        this.audit = audit;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        RelyingParty.of(Caller.project(ctx));
        return signIn.finish(Fields.read(Body.of(ctx), fields -> request(ctx, fields)), Caller.variant(ctx))
                .map(Reply::ok);
    }

    private PasskeySignIn.Request request(RoutingContext ctx, Fields fields) {
        return new PasskeySignIn.Request(
                Caller.project(ctx),
                PasskeyFields.signed(fields),
                PasskeyFields.userHandle(fields),
                new Teller(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx)));
    }
}
