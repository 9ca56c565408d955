package dev.vestibule.access;

import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.limits.Quota;
import dev.vestibule.limits.RateLimits;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Makes the handlers that stand before a route's own: its guard and its rate limit. */
public record RouteGuards(
        Authenticator authenticator,
        RateLimits limits,
        ClientAddresses addresses,
        TrustedOrigins ofDashboard,
        RecentSignIn recent) {
    /** The first step, by the headers; it lets in those who act as a user only where the route is for them too. */
    public GuardHandler guard(Guard guard, boolean alsoImpersonated) {
        return new GuardHandler(
                authenticator,
                new BadCredentials(limits, addresses),
                new Origins(ofDashboard),
                guard,
                alsoImpersonated);
    }

    /** The second step, for guards that need the body. */
    public BodyGuardHandler bodyGuard(Guard guard) {
        return new BodyGuardHandler(
                authenticator, new BadCredentials(limits, addresses), new Origins(ofDashboard), guard);
    }

    /** The step after both, for what a dashboard user's token gives only for a while. */
    public Handler<RoutingContext> recentSignIn() {
        return ctx -> {
            recent.requireOfPerson(ctx);
            ctx.next();
        };
    }

    public QuotaHandler quota(Quota quota) {
        return new QuotaHandler(limits, addresses, quota);
    }
}
