package dev.vestibule.outbound;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * Remembers for a moment what was looked up, so that many requests to a host ask once. Strangers choose the names, and
 * those who own them how many addresses they have, so both together are limited.
 */
final class RecentAddresses implements AddressLookup {
    static final Duration LIFETIME = Duration.ofSeconds(10);

    /** A name takes as much memory as a few addresses. */
    static final int MAX_WEIGHT = 20_000;

    private static final int NAME_WEIGHT = 4;

    private final AddressLookup lookup;
    private final Cache<String, List<InetAddress>> recent;

    RecentAddresses(AddressLookup lookup, Ticker ticker) {
        this.lookup = lookup;
        this.recent = Caffeine.newBuilder()
                .maximumWeight(MAX_WEIGHT)
                .weigher((String name, List<InetAddress> addresses) -> NAME_WEIGHT + addresses.size())
                .expireAfterWrite(LIFETIME)
                .ticker(ticker)
                .build();
    }

    @Override
    public Future<List<InetAddress>> all(String name) {
        var known = recent.getIfPresent(name);
        return known == null
                ? lookup.all(name).onSuccess(found -> recent.put(name, found))
                : Future.succeededFuture(known);
    }

    /** How much of the limit is taken. */
    long weight() {
        recent.cleanUp();
        return recent.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }
}
