package dev.vestibule.authentication.dashboard;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/auth/signout}: ends the session, and clears the cookie of its refresh token. */
public final class SignOutOfDashboardHandler implements ApiHandler {
    private final ApiHandler signOut;
    private final RefreshCookie cookie;

    public SignOutOfDashboardHandler(ApiHandler signOut, RefreshCookie cookie) {
        this.signOut = signOut;
        this.cookie = cookie;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return signOut.handle(ctx).map(reply -> reply.withHeader(HttpHeaders.SET_COOKIE.toString(), cookie.cleared()));
    }
}
