package dev.vestibule.authentication.passkey;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.authentication.passkey.PasskeyNews.Teller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE …/users/:userId/passkeys/:passkeyId} of management: also the last way in, since management can give another. */
public final class DeleteUserPasskeyHandler implements ApiHandler {
    private final PasskeyRemoval removal;
    private final Auditor audit;
    private final DeviceReader devices;

    DeleteUserPasskeyHandler(PasskeyRemoval removal, Auditor audit, DeviceReader devices) {
        this.removal = removal;
        this.audit = audit;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var teller = new Teller(audit.of(ctx), devices.read(ctx), project.language(null));
        return removal.byManagement(project, new UserId(PathId.of(ctx, "userId")), PathId.of(ctx, "passkeyId"), teller)
                .map(removed -> Reply.success());
    }
}
