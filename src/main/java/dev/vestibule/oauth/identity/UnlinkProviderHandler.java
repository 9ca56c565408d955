package dev.vestibule.oauth.identity;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/auth/me/providers/:provider}: unlinks a provider from the signed-in user. */
public final class UnlinkProviderHandler implements ApiHandler {
    private final ProviderLinks links;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;

    public UnlinkProviderHandler(ProviderLinks links, RecentSignIn recent, Auditor audit, DeviceReader devices) {
        this.links = links;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var caller = Caller.user(ctx);
        recent.require(caller);
        var user = caller.user().id();
        return links.unlink(
                        audit.of(ctx),
                        project,
                        user,
                        Provider.fromPath(ctx.pathParam("provider")),
                        devices.read(ctx),
                        RequestLanguage.of(ctx))
                .map(unlinked -> Reply.success());
    }
}
