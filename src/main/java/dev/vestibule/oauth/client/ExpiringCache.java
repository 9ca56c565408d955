package dev.vestibule.oauth.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What was fetched from others lately: bounded, believed for a time, and fetched once for all who ask at once. */
final class ExpiringCache<K, V> {
    private final VertxInternal vertx;
    private final Cache<K, Future<V>> cache;

    ExpiringCache(Vertx vertx, int maximumSize, Duration lifetime, Clock clock) {
        this.vertx = (VertxInternal) vertx;
        this.cache = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .expireAfterWrite(lifetime)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** On the caller's context, whoever's load it is. A load that failed is forgotten. */
    Future<V> get(K key, Supplier<Future<V>> load) {
        var waiting = vertx.getOrCreateContext().<V>promise();
        var known = cache.getIfPresent(key);
        if (known != null && known.failed()) {
            cache.asMap().remove(key, known);
            known = null;
        }
        (known == null ? begin(key, load) : known).onComplete(waiting);
        return waiting.future();
    }

    /** Has the next caller load anew, unless somebody did so meanwhile. */
    void forget(K key, V value) {
        var known = cache.getIfPresent(key);
        if (known != null && known.succeeded() && known.result().equals(value)) {
            cache.asMap().remove(key, known);
        }
    }

    private Future<V> begin(K key, Supplier<Future<V>> load) {
        var promise = vertx.getOrCreateContext().<V>promise();
        var other = cache.asMap().putIfAbsent(key, promise.future());
        if (other != null) {
            return other;
        }
        Future.succeededFuture().compose(begun -> load.get()).onComplete(promise); // which may also throw
        return promise.future();
    }
}
