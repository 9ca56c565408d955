package dev.vestibule.oauth;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/oauth/redirect}: where providers send browsers back to, for flows that the server handles. */
public final class OauthRedirectHandler implements ApiHandler {
    private final ServerHandledSignIn signIn;
    private final ProviderTrials trials;
    private final BrowserNetworks networks;
    private final DeviceReader devices;

    OauthRedirectHandler(
            ServerHandledSignIn signIn, ProviderTrials trials, BrowserNetworks networks, DeviceReader devices) {
        this.signIn = signIn;
        this.trials = trials;
        this.networks = networks;
        this.devices = devices;
    }

    /** A HEAD request does not use up the state, nor does one that no person sees: a frame, an image or a script's. */
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var destination = ctx.request().getHeader("Sec-Fetch-Dest");
        var isSeen = destination == null || destination.equals("document");
        return isSeen && !ctx.request().method().equals(HttpMethod.HEAD)
                ? receive(ctx, ctx.queryParams())
                : Future.succeededFuture(signIn.unknown(callback(ctx, ctx.queryParams())));
    }

    Future<Reply> receive(RoutingContext ctx, MultiMap parameters) {
        var callback = callback(ctx, parameters);
        return callback.trial().isPresent()
                ? trials.receive(callback.trial().get(), callback)
                : signIn.receive(callback);
    }

    AuthorizationCallback callback(RoutingContext ctx, MultiMap parameters) {
        return AuthorizationCallback.of(
                parameters,
                networks.of(ctx.request()),
                devices.read(ctx),
                ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE));
    }
}
