package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** A way in for dashboard users, whose browser gets the refresh token in a cookie if it asks for that. */
public final class KeepInCookieHandler implements ApiHandler {
    private final ApiHandler wayIn;
    private final RefreshCookie cookie;

    public KeepInCookieHandler(ApiHandler wayIn, RefreshCookie cookie) {
        this.wayIn = wayIn;
        this.cookie = cookie;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var reply = wayIn.handle(ctx);
        return cookie.isAskedFor(ctx.request()) ? reply.map(open -> kept(ctx, open)) : reply;
    }

    /** Without a token, as where a second factor is to come, there is nothing to keep. */
    private Reply kept(RoutingContext ctx, Reply open) {
        var body = new JsonObject(open.body());
        return body.remove("refreshToken") instanceof String token
                ? new Reply(open.status(), Buffer.buffer(body.encode()), open.headers())
                        .withHeader(
                                HttpHeaders.SET_COOKIE.toString(),
                                cookie.keeping(token, Caller.project(ctx).refreshTokenTtl()))
                : open;
    }
}
