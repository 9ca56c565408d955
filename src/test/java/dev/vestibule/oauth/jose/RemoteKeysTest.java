package dev.vestibule.oauth.jose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteKeysTest {
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final TestClock clock = new TestClock();
    private final AtomicInteger loads = new AtomicInteger();

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
        var keys = new RemoteKeys<String>(vertx, 10, Duration.ofMinutes(5), RETRY, clock);
        assertThat(loadsOfThree(keys)).isEqualTo(1);
        clock.advance(RETRY.minusMillis(1));
        assertThat(loadsOfThree(keys)).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(loadsOfThree(keys)).isEqualTo(1);
    }

    @Test
    void onlySoManySourcesThatFailAreRemembered() {
        var keys = new RemoteKeys<String>(vertx, 10, Duration.ofMinutes(5), RETRY, clock);
        for (var i = 0; i < 1000; i++) {
            fails(keys, "source " + i);
        }
        assertThat(keys.remembered()).isLessThanOrEqualTo(10);
    }

    @Test
    void aProviderThatFailsIsAskedAgainAtOnce() {
        assertThat(loadsOfThree(new RemoteKeys<>(vertx, 10, Duration.ofMinutes(5), clock)))
                .isEqualTo(3);
    }
}
