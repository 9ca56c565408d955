package dev.vestibule.oauth.jose;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.config.OauthSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Key sets that others publish, kept for a while by the source that they come from. Strangers decide how large they
 * are, so their number and their bytes are limited.
 */
public final class RemoteKeys<S> {
    /** So that a source whose tokens name unpublished keys is not asked for its keys for each of them. */
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(10);

    private final ExpiringCache<S, List<PublishedKey>> sets;
    private final Cache<S, Boolean> renewed;
    private final Cache<S, Throwable> failed;

    /** For sources whose keys are asked for again at once if they could not be read. */
    public RemoteKeys(Vertx vertx, OauthSettings settings, Duration lifetime, Clock clock) {
        this(vertx, settings, lifetime, BETWEEN_RENEWALS, Duration.ZERO, clock);
    }

    /**
     * For sources that strangers can choose.
     *
     * @param retry how long keys that could not be read, or had no such key, are not asked for again
     */
    public RemoteKeys(Vertx vertx, OauthSettings settings, Duration lifetime, Duration retry, Clock clock) {
        this(vertx, settings, lifetime, retry, retry, clock);
    }

    private RemoteKeys(
            Vertx vertx,
            OauthSettings settings,
            Duration lifetime,
            Duration betweenRenewals,
            Duration retry,
            Clock clock) {
        var number = settings.cacheSize();
        this.sets = new ExpiringCache<>(vertx, number, settings.keyCacheBytes(), PublishedKey::bytes, lifetime, clock);
        this.renewed = cache(number, betweenRenewals, clock);
        this.failed = cache(number, retry, clock);
    }

    private static <S, V> Cache<S, V> cache(int size, Duration lifetime, Clock clock) {
        return Caffeine.newBuilder()
                .maximumSize(size)
                .expireAfterWrite(lifetime)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** All keys of the source; they are loaded again if none has the id, since the source may have rotated them. */
    public Future<List<PublishedKey>> find(
            S source, @Nullable String keyId, Supplier<Future<List<PublishedKey>>> load) {
        return read(source, load).compose(keys -> {
            if (has(keys, keyId)) {
                return Future.succeededFuture(keys);
            }
            renewed.asMap().computeIfAbsent(source, first -> {
                sets.invalidate(source, keys);
                return true;
            });
            return read(source, load);
        });
    }

    /** How many sources are not asked for the moment. */
    int remembered() {
        failed.cleanUp();
        return failed.asMap().size();
    }

    /** How many sources' keys are kept at the moment. */
    long kept() {
        return sets.size();
    }

    private Future<List<PublishedKey>> read(S source, Supplier<Future<List<PublishedKey>>> load) {
        var failure = failed.getIfPresent(source);
        return failure == null
                ? sets.get(source, load).onFailure(cause -> failed.put(source, cause))
                : Future.failedFuture(failure);
    }

    private static boolean has(List<PublishedKey> keys, @Nullable String keyId) {
        return keyId == null
                ? !keys.isEmpty()
                : keys.stream().anyMatch(key -> keyId.equals(key.jwk().getKeyID()));
    }
}
