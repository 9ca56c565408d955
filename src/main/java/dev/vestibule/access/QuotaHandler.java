package dev.vestibule.access;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.http.limits.RateLimits;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A route's rate limit. The 429 (RFC 6585) says which limit was reached, and when to try again. It runs before the body
 * is read and, if the guard may need the body to know the project, again after it; a request counts once. An identity
 * provider has many addresses, which count together for a directory.
 */
public final class QuotaHandler implements Handler<RoutingContext> {
    private static final String COUNTED = QuotaHandler.class.getName();

    private final RateLimits limits;
    private final ClientAddresses addresses;
    private final Quota quota;

    public QuotaHandler(RateLimits limits, ClientAddresses addresses, Quota quota) {
        this.limits = limits;
        this.addresses = addresses;
        this.quota = quota;
    }

    @Override
    public void handle(RoutingContext ctx) {
        if (Caller.find(ctx).isEmpty() || ctx.get(COUNTED) != null) {
            ctx.next();
            return;
        }
        ctx.put(COUNTED, true);
        var counted = Caller.isServer(ctx) ? quota.forServer() : quota;
        var scope = Caller.rateLimitScope(ctx);
        var address = Caller.of(ctx) instanceof Caller.OfDirectory ? null : addresses.of(ctx.request());
        refusal(limits, counted, scope, address).ifPresentOrElse(ctx::fail, ctx::next);
    }

    /** Counts one request; returns the 429 if there were too many. */
    static Optional<ApiException> refusal(RateLimits limits, Quota quota, String scope, @Nullable InetAddress address) {
        var decision = limits.tryConsume(quota, scope, address);
        return decision.isAllowed()
                ? Optional.empty()
                : Optional.of(ApiException.tooManyRequests(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Too many requests. Try again later.",
                        decision.retryAfter(),
                        new RateLimitState(quota.text(), decision.quota(), RateLimits.WINDOW, decision.remaining())));
    }
}
