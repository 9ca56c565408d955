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
 * Limits how often a client address may call an operation of a project, on each node by itself. Each address has a token
 * bucket that refills evenly over a minute; the number of buckets is bounded. An IPv6 client counts by its /64.
 */
public final class RateLimits {
    /** The time in which a bucket refills. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Whether a call is allowed, how many calls are left, and how long until the next one is. */
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

    /** Counts one call; the scope is the id of the project that it concerns. */
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
