package dev.vestibule.http.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.config.LimitSettings;
import io.github.bucket4j.Bucket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Limits how often a client address may call an operation of a project, on each node by itself. Each address has a
 * token bucket that refills evenly over a minute; the number of buckets is bounded. An IPv6 client counts by its /64
 * and, ten times as much, by its /48.
 */
public final class RateLimits {
    /** The time in which a bucket refills. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Whether a call is allowed, how many calls are left, and how long until the next one is. */
    public record Decision(boolean isAllowed, int quota, long remaining, Duration retryAfter) {}

    private static final int NETWORKS_OF_A_SITE = 10;

    private record Key(Quota quota, String scope, ByteBuffer address) {}

    private final LimitSettings settings;
    private final Cache<Key, Bucket> buckets;

    public RateLimits(LimitSettings settings) {
        this.settings = settings;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(settings.maxTracked())
                .expireAfterAccess(WINDOW)
                .executor(Runnable::run) // to wake a thread of the common pool costs more than the maintenance
                .build();
    }

    /** Counts one call; the scope is the id of the project that it concerns. */
    public Decision tryConsume(Quota quota, String scope, @Nullable InetAddress address) {
        return decide(quota, scope, address, RateLimits::take);
    }

    /** Whether a call would be allowed; does not count it. */
    public Decision look(Quota quota, String scope, @Nullable InetAddress address) {
        return decide(quota, scope, address, RateLimits::look);
    }

    private Decision decide(
            Quota quota, String scope, @Nullable InetAddress address, BiFunction<Bucket, Integer, Decision> question) {
        var perMinute = perMinute(quota);
        if (!settings.enabled()) {
            return new Decision(true, perMinute, perMinute, Duration.ZERO);
        }
        var ofNetwork = question.apply(bucket(quota, scope, ClientNetwork.of(address), perMinute), perMinute);
        var site = ofNetwork.isAllowed() ? ClientNetwork.siteOf(address) : Optional.<byte[]>empty();
        if (site.isEmpty()) {
            return ofNetwork;
        }
        var perSite = NETWORKS_OF_A_SITE * perMinute;
        var ofSite = question.apply(bucket(quota, scope, site.get(), perSite), perSite);
        return ofSite.isAllowed() ? ofNetwork : ofSite;
    }

    private Bucket bucket(Quota quota, String scope, byte[] network, int perMinute) {
        return buckets.get(
                new Key(quota, scope, ByteBuffer.wrap(network)),
                key -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, WINDOW))
                        .build());
    }

    private static Decision take(Bucket bucket, int perMinute) {
        var probe = bucket.tryConsumeAndReturnRemaining(1);
        return new Decision(
                probe.isConsumed(),
                perMinute,
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private static Decision look(Bucket bucket, int perMinute) {
        var probe = bucket.estimateAbilityToConsume(1);
        return new Decision(
                probe.canBeConsumed(),
                perMinute,
                probe.getRemainingTokens(),
                Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private int perMinute(Quota quota) {
        return switch (quota) {
            case SIGN_UP -> settings.signupPerMinute();
            case SIGN_IN -> settings.signinPerMinute();
            case REFRESH -> settings.refreshPerMinute();
            case CHANGE -> settings.changesPerMinute();
            case CODE -> settings.codesPerMinute();
            case DASHBOARD_REGISTER -> settings.dashboardRegisterPerMinute();
            case DASHBOARD_LOGIN -> settings.dashboardLoginPerMinute();
            case SIGNING_KEYS -> settings.signingKeyRotationsPerMinute();
            case PAGE -> settings.pagesPerMinute();
            case SCIM -> settings.scimPerMinute();
            case CAPTCHA -> settings.captchasPerMinute();
            case BRANDING -> settings.brandingPerMinute();
            case DASHBOARD_MEMBERS -> settings.dashboardMembersPerMinute();
            case OAUTH -> settings.oauthPerMinute();
            case OAUTH_SERVER -> settings.oauthServerPerMinute();
            case BAD_CREDENTIALS -> settings.badCredentialsPerMinute();
            case OAUTH_POLL -> settings.oauthPollPerMinute();
        };
    }
}
