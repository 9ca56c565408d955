package dev.vestibule.caller;

import dev.vestibule.error.Refusal;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.Quota;
import dev.vestibule.limits.RateLimits;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** A route's rate limit; a refusal says when to come back (RFC 6585, draft-ietf-httpapi-ratelimit-headers-10). */
public final class QuotaHandler implements Handler<RoutingContext> {
    private static final String WINDOW_SECONDS = "60";

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
        var scope = CallerHandler.scope(ctx);
        var decision = limits.count(quota, scope, addresses.of(ctx.request()));
        if (decision.isAllowed()) {
            ctx.next();
            return;
        }
        var seconds = decision.retryAfter().plusMillis(999).toSeconds();
        ctx.response()
                .putHeader(
                        "RateLimit-Policy",
                        "\"%s\";q=%d;w=%s".formatted(quota.title(), decision.quota(), WINDOW_SECONDS))
                .putHeader("RateLimit", "\"%s\";r=%d;t=%d".formatted(quota.title(), decision.remaining(), seconds));
        ctx.fail(Refusal.tooManyRequests("Too many requests. Try again later.", decision.retryAfter()));
    }
}
