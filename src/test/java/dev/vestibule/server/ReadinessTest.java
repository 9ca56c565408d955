package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose API could not answer must not say that it is ready. */
class ReadinessTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context one = ((VertxInternal) vertx).createEventLoopContext();
    private final Context other = ((VertxInternal) vertx).createEventLoopContext();
    private final Readiness readiness = new Readiness();
    private volatile Future<Void> databaseOfOther = Future.succeededFuture();

    @BeforeEach
    void twoLoops() {
        readiness.add(one, Future::succeededFuture);
        readiness.add(other, () -> databaseOfOther);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void theNodeIsReadyWhenAllLoopsAnswer() {
        assertThat(readiness.check().await()).isNull();
    }

    @Test
    void theNodeIsNotReadyWhileAnEventLoopIsStuck() {
        var released = new CountDownLatch(1);
        one.runOnContext(stuck -> awaitUninterruptibly(released));
        try {
            assertThatThrownBy(() -> readiness.check().await()).isInstanceOf(TimeoutException.class);
        } finally {
            released.countDown(); // or the loop could not be closed
        }
        assertThat(readiness.check().await()).isNull();
    }

    @Test
    void theNodeIsNotReadyWhileTheConnectionOfOneLoopIsLostOrSilent() {
        databaseOfOther = Future.failedFuture("lost");
        assertThatThrownBy(() -> readiness.check().await()).hasMessage("lost");
        Promise<Void> silent = Promise.promise();
        databaseOfOther = silent.future();
        assertThatThrownBy(() -> readiness.check().await()).isInstanceOf(TimeoutException.class);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
