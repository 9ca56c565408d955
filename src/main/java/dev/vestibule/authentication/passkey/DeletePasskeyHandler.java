package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.passkey.PasskeyNews.Teller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/auth/passkeys/:passkeyId}: from now on it opens no session; those that there are stay. */
public final class DeletePasskeyHandler implements ApiHandler {
    private final PasskeyRemoval removal;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;

    DeletePasskeyHandler(PasskeyRemoval removal, RecentSignIn recent, Auditor audit, DeviceReader devices) {
        this.removal = removal;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        RelyingParty.requireEnabled(caller.project());
        recent.require(caller);
        var teller = new Teller(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx));
        return removal.byOwner(caller.project(), caller.user().id(), PathId.of(ctx, "passkeyId"), teller)
                .map(removed -> Reply.success());
    }
}
