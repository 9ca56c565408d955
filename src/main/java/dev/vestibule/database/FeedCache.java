package dev.vestibule.database;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A bounded cache of rows that answers only while the change feed is up to date, so that no node acts on rows that
 * another has changed. A missing row is never cached, so a row that is created later is found at once.
 */
public final class FeedCache<K, V> {
    private final ChangeFeed feed;
    private final Cache<K, V> cache;

    /** The key finder returns the key of the entry that a notification makes stale, if any. */
    public FeedCache(ChangeFeed feed, int maximumSize, Function<String, Optional<K>> keyFinder) {
        this(feed, Caffeine.newBuilder().maximumSize(maximumSize).build(), keyFinder);
    }

    /** For entries that differ so much in size that a limit on their number would not limit memory. */
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
            public void changesMissed() {
                cache.invalidateAll();
            }
        });
    }

    public Future<Optional<V>> get(K key, Function<K, Future<Optional<V>>> load) {
        if (!feed.isUpToDate()) {
            return load.apply(key);
        }
        var cached = cache.getIfPresent(key);
        if (cached != null) {
            return Future.succeededFuture(Optional.of(cached));
        }
        var epoch = feed.epoch();
        return load.apply(key).map(loaded -> {
            loaded.ifPresent(value -> put(key, value, epoch));
            return loaded;
        });
    }

    /** What was loaded before a notification arrived may be older than the change, so it is not kept. */
    private void put(K key, V value, long epoch) {
        cache.put(key, value);
        if (feed.epoch() != epoch) {
            cache.invalidate(key);
        }
    }
}
