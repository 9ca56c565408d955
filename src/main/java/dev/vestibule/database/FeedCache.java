package dev.vestibule.database;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of rows that answers only while the change feed is up to date, so that no node acts on rows that
 * another node has changed. By default it does not cache that a row is missing, so a row that is created later is found
 * immediately.
 */
public final class FeedCache<K, V> {
    private static final Duration ABSENCE = Duration.ofSeconds(10);

    private final ChangeFeed feed;
    private final Cache<K, V> cache;
    private final @Nullable Cache<K, Boolean> absent;

    /** The key finder returns the key of the entry that a change of a project makes stale. */
    public FeedCache(ChangeFeed feed, int maximumSize, Function<UUID, K> keyFinder) {
        this(feed, Caffeine.newBuilder().maximumSize(maximumSize).build(), null, keyFinder);
    }

    /**
     * Also remembers for a short time that a row is missing. Only for keys that are random and created with their row,
     * so that nobody can ask for one before it exists.
     */
    public static <K, V> FeedCache<K, V> rememberingAbsence(
            ChangeFeed feed, int maximumSize, Function<UUID, K> keyFinder) {
        return new FeedCache<>(
                feed,
                Caffeine.newBuilder().maximumSize(maximumSize).build(),
                Caffeine.newBuilder()
                        .maximumSize(maximumSize)
                        .expireAfterWrite(ABSENCE)
                        .build(),
                keyFinder);
    }

    /** A cache of entries that differ so much in size that a limit on their number would not limit memory. */
    public static <K, V> FeedCache<K, V> boundedByBytes(
            ChangeFeed feed, long maximumBytes, ToIntFunction<V> size, Function<UUID, K> keyFinder) {
        return new FeedCache<>(
                feed,
                Caffeine.newBuilder()
                        .maximumWeight(maximumBytes)
                        .weigher((K key, V value) -> size.applyAsInt(value))
                        .build(),
                null,
                keyFinder);
    }

    private FeedCache(
            ChangeFeed feed, Cache<K, V> cache, @Nullable Cache<K, Boolean> absent, Function<UUID, K> keyFinder) {
        this.feed = feed;
        this.cache = cache;
        this.absent = absent;
        feed.subscribe(new ChangeFeed.Listener() {
            @Override
            public void changed(UUID project) {
                forget(keyFinder.apply(project));
            }

            @Override
            public void changesMissed() {
                cache.invalidateAll();
                if (absent != null) {
                    absent.invalidateAll();
                }
            }
        });
    }

    public Future<Optional<V>> get(K key, Function<K, Future<Optional<V>>> load) {
        return feed.isUpToDate()
                ? find(key, load)
                : feed.catchUp().compose(isCaughtUp -> isCaughtUp ? find(key, load) : load.apply(key));
    }

    /**
     * A part of the entry. {@code alone} reads only that where the cache cannot answer, or where every heartbeat
     * empties it, so that the rest would be loaded for nothing.
     */
    public <P> Future<P> part(
            K key, Function<K, Future<Optional<V>>> load, Function<Optional<V>, P> part, Supplier<Future<P>> alone) {
        if (!feed.isContinuous()) {
            return alone.get();
        }
        return feed.isUpToDate()
                ? find(key, load).map(part)
                : feed.catchUp()
                        .compose(isCaughtUp -> isCaughtUp ? find(key, load).map(part) : alone.get());
    }

    private Future<Optional<V>> find(K key, Function<K, Future<Optional<V>>> load) {
        var cached = cache.getIfPresent(key);
        if (cached != null) {
            return Future.succeededFuture(Optional.of(cached));
        }
        if (absent != null && absent.getIfPresent(key) != null) {
            return Future.succeededFuture(Optional.empty());
        }
        var epoch = feed.epoch();
        return load.apply(key).map(loaded -> {
            put(key, loaded, epoch);
            return loaded;
        });
    }

    /**
     * A row that was loaded before the feed reported a change may be older than the change, so it is not kept. The
     * epoch is checked before the row is added, so that nobody sees a stale row, and again afterwards, because all
     * entries can be removed in between.
     */
    private void put(K key, Optional<V> loaded, long epoch) {
        if (feed.epoch() != epoch) {
            return;
        }
        if (loaded.isPresent()) {
            cache.asMap().compute(key, (same, old) -> feed.epoch() == epoch ? loaded.get() : null);
        } else if (absent != null) {
            absent.put(key, true);
        }
        if (feed.epoch() != epoch) {
            forget(key);
        }
    }

    private void forget(K key) {
        cache.invalidate(key);
        if (absent != null) {
            absent.invalidate(key);
        }
    }
}
