package dev.vestibule.access;

import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.Quota;
import dev.vestibule.limits.RateLimits;

/** Makes the handlers that stand before a route's own: its guard and its rate limit. */
public record RouteGuards(Authenticator authenticator, RateLimits limits, ClientAddresses addresses) {
    public GuardHandler guard(Guard guard) {
        return new GuardHandler(authenticator, guard);
    }

    public QuotaHandler quota(Quota quota) {
        return new QuotaHandler(limits, addresses, quota);
    }
}
