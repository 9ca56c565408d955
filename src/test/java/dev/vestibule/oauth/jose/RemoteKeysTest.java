package dev.vestibule.oauth.jose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteKeysTest {
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final int BYTES = 1_048_576;
    private static final OauthSettings SETTINGS = settings(10);

    private final Vertx vertx = Vertx.vertx();
    private final TestClock clock = new TestClock();
    private final AtomicInteger loads = new AtomicInteger();

    private static OauthSettings settings(int cacheSize) {
        return new OauthSettings(
                Optional.empty(),
                false,
                RETRY,
                cacheSize,
                BYTES,
                Duration.ofHours(1),
                Duration.ZERO,
                1,
                1,
                1,
                1,
                RETRY);
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private Future<List<PublishedKey>> fail() {
        loads.incrementAndGet();
        return Future.failedFuture("unreachable");
    }

    private boolean fails(RemoteKeys<String> keys, String source) {
        return keys.find(source, "one", this::fail)
                .transform(found -> Future.succeededFuture(found.failed()))
                .await();
    }

    private int loadsOfThree(RemoteKeys<String> keys) {
        for (var i = 0; i < 3; i++) {
            assertThat(fails(keys, "source")).isTrue();
        }
        return loads.getAndSet(0);
    }

    @Test
    void aSourceThatFailsIsAskedAgainOnlyAfterAWhile() {
        var keys = new RemoteKeys<String>(vertx, SETTINGS, Duration.ofMinutes(5), RETRY, clock);
        assertThat(loadsOfThree(keys)).isEqualTo(1);
        clock.advance(RETRY.minusMillis(1));
        assertThat(loadsOfThree(keys)).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(loadsOfThree(keys)).isEqualTo(1);
    }

    @Test
    void onlySoManySourcesThatFailAreRemembered() {
        var keys = new RemoteKeys<String>(vertx, SETTINGS, Duration.ofMinutes(5), RETRY, clock);
        for (var i = 0; i < 1000; i++) {
            fails(keys, "source " + i);
        }
        assertThat(keys.remembered()).isLessThanOrEqualTo(10);
    }

    @Test
    void aProviderThatFailsIsAskedAgainAtOnce() {
        assertThat(loadsOfThree(new RemoteKeys<>(vertx, SETTINGS, Duration.ofMinutes(5), clock)))
                .isEqualTo(3);
    }

    private static String key(String id) {
        return "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"kid\":\"" + id + "\",\"n\":\"" + "x".repeat(1400) + "\"}";
    }

    private static List<PublishedKey> set(int number, String id) {
        var keys = Collections.nCopies(number, key(id));
        return PublishedKey.ofSet(Json.parse(Buffer.buffer("{\"keys\":[" + String.join(",", keys) + "]}")))
                .orElseThrow();
    }

    /** Asks for the keys of so many sources, each of which publishes such a set. */
    private long keptOf(int sources, RemoteKeys<String> keys, List<PublishedKey> set) {
        for (var i = 0; i < sources; i++) {
            assertThat(keys.find("source " + i, null, () -> Future.succeededFuture(set))
                            .await())
                    .isEqualTo(set);
        }
        return keys.kept();
    }

    @Test
    void keysOfManySourcesAreKeptUpToANumberAndUpToTheirBytes() {
        var few = new RemoteKeys<String>(vertx, SETTINGS, Duration.ofMinutes(5), clock);
        assertThat(keptOf(100, few, set(1, "a"))).isEqualTo(10);
        var large = set(30, "a".repeat(1400));
        assertThat(large).hasSize(30);
        var many = new RemoteKeys<String>(vertx, settings(10_000), Duration.ofMinutes(5), clock);
        assertThat(keptOf(1000, many, large)).isBetween(1L, (long) BYTES / PublishedKey.bytes(large));
        assertThat(PublishedKey.bytes(large)).isGreaterThan(30 * 2 * 2800);
    }

    @Test
    void aKeyWithALongerTextThanAnyNeedsIsSkipped() {
        assertThat(set(1, "a".repeat(1401))).isEmpty();
        var issuer = key("a").replace("}", ",\"issuer\":\"" + "x".repeat(1401) + "\"}");
        assertThat(PublishedKey.ofSet(Json.parse(Buffer.buffer("{\"keys\":[" + issuer + "]}"))))
                .contains(List.of());
    }
}
