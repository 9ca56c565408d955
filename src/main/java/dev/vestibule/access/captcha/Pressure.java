package dev.vestibule.access.captcha;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.config.CaptchaSettings;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.http.limits.ClientNetwork;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.http.limits.RateLimits;
import dev.vestibule.project.ProjectId;
import io.github.bucket4j.Bucket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How many requests a minute go without a solution: so many percent of the rate limit for one network, and so many for
 * all networks of a project together. Each node counts by itself, as rate limits do; without rate limits there is no
 * pressure either.
 */
final class Pressure {
    private static final ByteBuffer ALL_NETWORKS = ByteBuffer.allocate(0);

    private record Key(ProjectId project, Quota quota, ByteBuffer network) {}

    private final CaptchaSettings settings;
    private final LimitSettings limits;
    private final Cache<Key, Bucket> buckets;

    Pressure(CaptchaSettings settings, LimitSettings limits) {
        this.settings = settings;
        this.limits = limits;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(limits.maxTracked())
                .expireAfterAccess(RateLimits.WINDOW)
                .executor(Runnable::run) // to wake a thread of the common pool costs more than the maintenance
                .build();
    }

    /** Counts a request; true if it needs a solution. */
    boolean exceededBy(ProjectId project, Quota quota, @Nullable InetAddress address) {
        return limits.enabled()
                && !(ofNetwork(project, quota, address).tryConsume(1)
                        && ofProject(project, quota).tryConsume(1));
    }

    /**
     * Whether a page should already contain a challenge, since half of the requests that need none are used up: all may
     * be by the time that the person has filled in the form. Counts nothing.
     */
    boolean isNear(ProjectId project, Quota quota, @Nullable InetAddress address) {
        return limits.enabled()
                && (ofNetwork(project, quota, address).getAvailableTokens() * 2
                                < capacity(quota, settings.networkPercent())
                        || ofProject(project, quota).getAvailableTokens() * 2
                                < capacity(quota, settings.projectPercent()));
    }

    private Bucket ofNetwork(ProjectId project, Quota quota, @Nullable InetAddress address) {
        return bucket(
                new Key(project, quota, ByteBuffer.wrap(ClientNetwork.of(address))),
                capacity(quota, settings.networkPercent()));
    }

    private Bucket ofProject(ProjectId project, Quota quota) {
        return bucket(new Key(project, quota, ALL_NETWORKS), capacity(quota, settings.projectPercent()));
    }

    private Bucket bucket(Key key, long capacity) {
        return buckets.get(
                key,
                isNew -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(capacity).refillGreedy(capacity, RateLimits.WINDOW))
                        .build());
    }

    private long capacity(Quota quota, int percent) {
        var perMinute = quota == Quota.SIGN_UP ? limits.signupPerMinute() : limits.codesPerMinute();
        return Math.max(1, (long) perMinute * percent / 100);
    }
}
