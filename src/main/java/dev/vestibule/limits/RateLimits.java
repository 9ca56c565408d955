package dev.vestibule.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.config.LimitSettings;
import io.github.bucket4j.Bucket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often one client address may call an operation of one project, each node for itself: token buckets that refill
 * evenly over a minute, and no more of them than configured. An IPv6 client counts by its /64, which is one customer.
 */
public final class RateLimits {
    /** In which a quota is counted. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Whether a call may go on; what is left of the quota, and how long until there is more. */
    public record Decision(boolean isAllowed, int quota, long remaining, Duration retryAfter) {}

    private record Key(Quota quota, String scope, ByteBuffer address) {}

    private final LimitSettings settings;
    private final Cache<Key, Bucket> buckets;

    public RateLimits(LimitSettings settings) {
        this.settings = settings;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(settings.maxTracked())
                .expireAfterAccess(WINDOW)
                .build();
    }

    /** Counts one call; the scope is the project that it is about. */
    public Decision tryConsume(Quota quota, String scope, @Nullable InetAddress address) {
        var perMinute = perMinute(quota);
        if (!settings.enabled()) {
            return new Decision(true, perMinute, perMinute, Duration.ZERO);
        }
        var bucket = buckets.get(
                new Key(quota, scope, ByteBuffer.wrap(ClientNetwork.of(address))),
                key -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, WINDOW))
                        .build());
        var probe = bucket.tryConsumeAndReturnRemaining(1);
        return new Decision(
                probe.isConsumed(),
                perMinute,
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private int perMinute(Quota quota) {
        return switch (quota) {
            case SIGN_UP -> settings.signupPerMinute();
            case SIGN_IN -> settings.signinPerMinute();
            case REFRESH -> settings.refreshPerMinute();
            case CODE -> settings.codesPerMinute();
            case DASHBOARD_REGISTER -> settings.dashboardRegisterPerMinute();
            case DASHBOARD_LOGIN -> settings.dashboardLoginPerMinute();
            case DASHBOARD_MEMBERS -> settings.dashboardMembersPerMinute();
            case OAUTH -> settings.oauthPerMinute();
            case OAUTH_POLL -> settings.oauthPollPerMinute();
        };
    }
}
