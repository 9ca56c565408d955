package dev.vestibule.oauth.jose;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Key sets that others publish, kept for a while by the source that they come from. */
public final class RemoteKeys<S> {
    /** So that a source whose tokens name unpublished keys is not asked for its keys for each of them. */
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(10);

    private final ExpiringCache<S, List<PublishedKey>> sets;
    private final Cache<S, Boolean> renewed;

    public RemoteKeys(Vertx vertx, int cacheSize, Duration lifetime, Clock clock) {
        this.sets = new ExpiringCache<>(vertx, cacheSize, lifetime, clock);
        this.renewed = Caffeine.newBuilder()
                .maximumSize(cacheSize)
                .expireAfterWrite(BETWEEN_RENEWALS)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** All keys of the source; they are loaded again if none has the id, since the source may have rotated them. */
    public Future<List<PublishedKey>> find(
            S source, @Nullable String keyId, Supplier<Future<List<PublishedKey>>> load) {
        return sets.get(source, load).compose(keys -> {
            if (has(keys, keyId)) {
                return Future.succeededFuture(keys);
            }
            renewed.asMap().computeIfAbsent(source, first -> {
                sets.invalidate(source, keys);
                return true;
            });
            return sets.get(source, load);
        });
    }

    private static boolean has(List<PublishedKey> keys, @Nullable String keyId) {
        return keyId == null
                ? !keys.isEmpty()
                : keys.stream().anyMatch(key -> keyId.equals(key.jwk().getKeyID()));
    }
}
