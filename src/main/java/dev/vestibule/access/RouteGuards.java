package dev.vestibule.access;

import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.http.limits.RateLimits;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** Creates the handlers that run before a route's own: its guard and its rate limit. */
public record RouteGuards(
        Authenticator authenticator,
        RateLimits limits,
        ClientAddresses addresses,
        TrustedOrigins dashboardOrigins,
        RecentSignIn recent,
        CaptchaGuard captcha,
        Clock clock) {
    /** The guard, in two steps; it lets impersonators in only if the route allows them. */
    public GuardHandler guard(Guard guard, boolean alsoImpersonated) {
        return new GuardHandler(
                authenticator,
                new BadCredentials(limits, addresses),
                new Origins(dashboardOrigins),
                guard,
                alsoImpersonated,
                clock);
    }

    /** The step after both, for operations that need a recent sign in of the dashboard user. */
    public Handler<RoutingContext> recentSignIn() {
        return ctx -> {
            Caller.signedIn(Caller.of(ctx)).ifPresent(recent::require);
            ctx.next();
        };
    }

    /** The step after them, for operations that bots abuse. */
    public Handler<RoutingContext> captcha(CaptchaPurpose purpose) {
        return ctx ->
                captcha.check(ctx, purpose).onSuccess(allowed -> ctx.next()).onFailure(ctx::fail);
    }

    public QuotaHandler quota(Quota quota) {
        return new QuotaHandler(limits, addresses, quota);
    }
}
