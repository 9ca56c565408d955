package dev.vestibule.oauth.jose;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** A bounded cache of fetched values that expire; concurrent callers share one load. */
public final class ExpiringCache<K, V> {
    private final VertxInternal vertx;
    private final Cache<K, Future<V>> cache;

    public ExpiringCache(Vertx vertx, int maximumSize, Duration lifetime, Clock clock) {
        this(vertx, maximumSize, maximumSize, value -> 1, lifetime, clock);
    }

    /** For values whose number alone would not limit memory. */
    ExpiringCache(
            Vertx vertx, int maximumSize, int maximumBytes, ToIntFunction<V> bytes, Duration lifetime, Clock clock) {
        this.vertx = (VertxInternal) vertx;
        var least = Math.max(1, maximumBytes / maximumSize);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maximumBytes)
                .weigher((K key, Future<V> value) ->
                        value.succeeded() ? Math.max(least, bytes.applyAsInt(value.result())) : least)
                .expireAfterWrite(lifetime)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** Completes on the caller's own context, also when another caller started the load. A failed load is not kept. */
    public Future<V> get(K key, Supplier<Future<V>> load) {
        var waiting = vertx.getOrCreateContext().<V>promise();
        var known = cache.getIfPresent(key);
        if (known != null && known.failed()) {
            cache.asMap().remove(key, known);
            known = null;
        }
        (known == null ? load(key, load) : known).onComplete(waiting);
        return waiting.future();
    }

    /** Makes the next caller load again, unless the value has been replaced already. */
    public void invalidate(K key, V value) {
        var known = cache.getIfPresent(key);
        if (known != null && known.succeeded() && known.result().equals(value)) {
            cache.asMap().remove(key, known);
        }
    }

    private Future<V> load(K key, Supplier<Future<V>> load) {
        var promise = vertx.getOrCreateContext().<V>promise();
        var other = cache.asMap().putIfAbsent(key, promise.future());
        if (other != null) {
            return other;
        }
        var loaded = promise.future();
        Future.succeededFuture().compose(ignored -> load.get()).onComplete(promise); // also catches what load throws
        return loaded.onSuccess(value -> cache.asMap().replace(key, loaded, loaded)); // only now can it be weighed
    }

    /** How many values it holds. */
    long size() {
        cache.cleanUp();
        return cache.estimatedSize();
    }
}
