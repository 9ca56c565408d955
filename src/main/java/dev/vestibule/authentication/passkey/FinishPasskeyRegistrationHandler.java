package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.passkey.PasskeyNews.Teller;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Registrant;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/passkeys/register/verify}: from now on the new passkey opens sessions. */
public final class FinishPasskeyRegistrationHandler implements ApiHandler {
    private final PasskeyRegistration registration;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;

    FinishPasskeyRegistrationHandler(
            PasskeyRegistration registration, RecentSignIn recent, Auditor audit, DeviceReader devices) {
        this.registration = registration;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.of(caller.project());
        recent.require(caller);
        var created = Fields.read(Body.of(ctx), PasskeyFields::created);
        var registrant =
                new Registrant(caller.project(), caller.user(), caller.token().session());
        var teller = new Teller(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx));
        return registration.finish(registrant, created, teller).map(Reply::ok);
    }
}
