package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.authentication.TokenRefresh;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.token.RefreshTokens;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/dashboard/auth/refresh}: replaces the refresh token in a browser's cookie. One that is not good any more is
 * left there: by the time that the browser reads the refusal, another tab may have got the token of a newer session.
 */
public final class RefreshDashboardTokenHandler implements ApiHandler {
    private final TokenRefresh refresh;
    private final RefreshCookie cookie;
    private final Auditor audit;

    public RefreshDashboardTokenHandler(TokenRefresh refresh, RefreshCookie cookie, Auditor audit) {
        this.refresh = refresh;
        this.cookie = cookie;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        if (!cookie.isAskedFor(ctx.request())) {
            throw ApiException.of(
                    ErrorStatus.BAD_REQUEST,
                    "Send the header x-refresh-token: cookie. The refresh token comes in the cookie of a log in that had it"
                            + " too.");
        }
        return cookie.read(ctx.request())
                .map(token ->
                        refresh.rotate(Caller.project(ctx), token, () -> AbandonedRequest.is(ctx), () -> audit.of(ctx)))
                .orElseGet(() -> Future.failedFuture(RefreshTokens.invalid()))
                .map(Reply::ok);
    }
}
