package dev.vestibule.oauth.identity;

import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code DELETE /v1/auth/me/providers/:provider}: unlinks a provider from the signed-in user. */
public final class UnlinkProviderHandler implements ApiHandler {
    private final ProviderLinks links;
    private final RecentSignIn recent;

    public UnlinkProviderHandler(ProviderLinks links, RecentSignIn recent) {
        this.links = links;
        this.recent = recent;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var caller = Caller.user(ctx);
        recent.require(caller);
        var user = caller.user().id();
        return links.unlink(project, user, Provider.fromPath(ctx.pathParam("provider")))
                .map(unlinked -> Reply.success());
    }
}
