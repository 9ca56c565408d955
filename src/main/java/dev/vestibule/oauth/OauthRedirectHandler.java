package dev.vestibule.oauth;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.Reply;
import dev.vestibule.limits.ClientNetwork;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** {@code GET /v1/auth/oauth/redirect}: where providers send browsers back to, for flows that the server handles. */
public final class OauthRedirectHandler implements ApiHandler {
    private final ServerHandledSignIn signIn;
    private final OauthPages pages;
    private final ClientAddresses addresses;
    private final DeviceReader devices;

    OauthRedirectHandler(
            ServerHandledSignIn signIn, OauthPages pages, ClientAddresses addresses, DeviceReader devices) {
        this.signIn = signIn;
        this.pages = pages;
        this.addresses = addresses;
        this.devices = devices;
    }

    /** A HEAD request does not use up the state. */
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return ctx.request().method().equals(HttpMethod.HEAD)
                ? Future.succeededFuture(pages.unknown())
                : receive(ctx, ctx.queryParams(), false);
    }

    Future<Reply> receive(RoutingContext ctx, MultiMap parameters, boolean isPosted) {
        return signIn.receive(AuthorizationCallback.of(
                parameters,
                isPosted,
                Buffer.buffer(ClientNetwork.of(addresses.of(ctx.request()))),
                devices.read(ctx),
                ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE)));
    }
}
