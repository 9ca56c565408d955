package dev.vestibule.database;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A bounded cache of rows that answers only while the change feed is heard, so that no node ever acts on what another
 * has changed. Absence is never cached: what is made a moment later is found at once.
 */
public final class FeedCache<K, V> {
    private final ChangeFeed feed;
    private final Cache<K, V> cache;

    /** The key finder names the entry that a notification makes stale, where it concerns this cache at all. */
    public FeedCache(ChangeFeed feed, int maximumSize, Function<String, Optional<K>> keyFinder) {
        this(feed, Caffeine.newBuilder().maximumSize(maximumSize).build(), keyFinder);
    }

    /** For entries whose sizes differ so much that their number would bound nothing. */
    public static <K, V> FeedCache<K, V> ofBytes(
            ChangeFeed feed, long maximumBytes, ToIntFunction<V> size, Function<String, Optional<K>> keyFinder) {
        return new FeedCache<>(
                feed,
                Caffeine.newBuilder()
                        .maximumWeight(maximumBytes)
                        .weigher((K key, V value) -> size.applyAsInt(value))
                        .build(),
                keyFinder);
    }

    private FeedCache(ChangeFeed feed, Cache<K, V> cache, Function<String, Optional<K>> keyFinder) {
        this.feed = feed;
        this.cache = cache;
        feed.subscribe(new ChangeFeed.Listener() {
            @Override
            public void changed(String payload) {
                keyFinder.apply(payload).ifPresent(cache::invalidate);
            }

            @Override
            public void missed() {
                cache.invalidateAll();
            }
        });
    }

    public Future<Optional<V>> get(K key, Function<K, Future<Optional<V>>> load) {
        if (!feed.isHeard()) {
            return load.apply(key);
        }
        var cached = cache.getIfPresent(key);
        if (cached != null) {
            return Future.succeededFuture(Optional.of(cached));
        }
        var epoch = feed.epoch();
        return load.apply(key).map(loaded -> {
            loaded.ifPresent(value -> keep(key, value, epoch));
            return loaded;
        });
    }

    /** What was loaded before a change became known may be older than the change: it is not kept. */
    private void keep(K key, V value, long epoch) {
        cache.put(key, value);
        if (feed.epoch() != epoch) {
            cache.invalidate(key);
        }
    }
}
