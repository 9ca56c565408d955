package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.HashingPool.HashingMeter;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.fixture.Eventually;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class HashingPoolTest {
    private static final UUID PROJECT = new UUID(0, 1);
    private static final UUID OTHER_PROJECT = new UUID(0, 2);

    private final Counts counts = new Counts();
    private HashingPool pool;

    @BeforeEach
    void start(Vertx vertx) {
        pool = new HashingPool(vertx, 1, 2, new HashMemory(100, 100), counts);
    }

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void workBeyondTheQueueFailsImmediatelyAndTheRestIsDone() {
        var gate = new CountDownLatch(1);
        var running = blocked(gate);
        var waiting = blocked(gate);
        var waitingToo = blocked(gate);
        var refused = blocked(gate);

        assertRefused(refused);
        assertThat(counts.rejected).hasValue(1);
        assertThat(counts.queueLength.getAsInt()).isEqualTo(2);
        assertThat(counts.activeThreads.getAsInt()).isEqualTo(1);

        gate.countDown();
        Future.all(running, waiting, waitingToo).await();
        assertThat(pool.run(PROJECT, JobLength.SHORT, () -> "room again").await())
                .isEqualTo("room again");
        assertThat(counts.hashed).hasValue(4);
    }

    @Test
    void theWorkRunsOnAHashingThreadAndItsResultArrivesOnTheCallersContext(Vertx vertx, VertxTestContext test) {
        vertx.runOnContext(start -> {
            Context caller = vertx.getOrCreateContext();
            pool.run(PROJECT, JobLength.SHORT, () -> Thread.currentThread().getName())
                    .onComplete(test.succeeding(thread -> test.verify(() -> {
                        assertThat(thread).startsWith("hashing-");
                        assertThat(Vertx.currentContext()).isSameAs(caller);
                        test.completeNow();
                    })));
        });
    }

    @Test
    void aFailureOfTheWorkIsTheFailureOfTheFuture() {
        Future<String> failing = pool.run(PROJECT, JobLength.SHORT, () -> {
            throw new IOException("disk is full");
        });
        assertThatThrownBy(failing::await).hasMessageContaining("disk is full");
    }

    @Test
    void aProjectThatFillsTheQueueLosesItsNewestPlaceToAnother() {
        var gate = new CountDownLatch(1);
        var running = blocked(gate);
        var waiting = blocked(gate);
        var newest = blocked(gate);
        var ofOther = pool.run(OTHER_PROJECT, JobLength.SHORT, () -> "done");

        assertRefused(newest);
        gate.countDown();
        Future.all(running, waiting, ofOther).await();
        assertThat(counts.rejected).hasValue(1);
    }

    @Test
    void shortWorkFindsAThreadWhileLongWorkHoldsTheOthers() {
        var gate = new CountDownLatch(1);
        var running = pool.run(PROJECT, JobLength.LONG, () -> await(gate));
        var waiting = pool.run(PROJECT, JobLength.LONG, () -> await(gate));

        assertThat(pool.run(OTHER_PROJECT, JobLength.SHORT, () -> "done").await())
                .isEqualTo("done");
        Eventually.until("only the long work is counted", () -> counts.activeThreads.getAsInt() == 1);
        gate.countDown();
        Future.all(running, waiting).await();
    }

    @Test
    void workWaitsUntilThereIsMemoryForIt(Vertx vertx) {
        try (var two = new HashingPool(vertx, 2, 10, new HashMemory(100, 100), new Counts())) {
            var gate = new CountDownLatch(1);
            var running = two.run(PROJECT, JobLength.LONG, HashMemory.ofHeap(60), () -> await(gate));
            var waiting = two.run(OTHER_PROJECT, JobLength.LONG, HashMemory.ofHeap(60), () -> "done");
            assertThat(two.run(OTHER_PROJECT, JobLength.SHORT, () -> "done")).isNotNull();
            assertThat(two.run(PROJECT, JobLength.SHORT, () -> "meanwhile").await())
                    .isEqualTo("meanwhile");
            assertThat(waiting.isComplete()).isFalse();
            gate.countDown();
            Future.all(running, waiting).await();
        }
    }

    private static void assertRefused(Future<String> work) {
        assertThatThrownBy(work::await).isInstanceOfSatisfying(ApiException.class, failure -> {
            assertThat(failure.status()).isEqualTo(ErrorStatus.UNAVAILABLE);
            assertThat(failure.retryAfter()).isPositive();
        });
    }

    private static String await(CountDownLatch gate) throws InterruptedException {
        gate.await();
        return "done";
    }

    private Future<String> blocked(CountDownLatch gate) {
        return pool.run(PROJECT, JobLength.SHORT, () -> {
            gate.await();
            return "done";
        });
    }

    private static final class Counts implements HashingMeter {
        private final AtomicInteger hashed = new AtomicInteger();
        private final AtomicInteger rejected = new AtomicInteger();
        private IntSupplier queueLength = () -> -1;
        private IntSupplier activeThreads = () -> -1;

        @Override
        public void register(IntSupplier queue, IntSupplier active) {
            queueLength = queue;
            activeThreads = active;
        }

        @Override
        public void hashed(Duration waited, Duration took) {
            assertThat(waited).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(took).isGreaterThanOrEqualTo(Duration.ZERO);
            hashed.incrementAndGet();
        }

        @Override
        public void rejected() {
            rejected.incrementAndGet();
        }

        @Override
        public void tooLarge() {
            throw new AssertionError("the pool knows of no hash");
        }
    }
}
