package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class BatchesTest {
    private static final int MANY = 100_000;

    private final AtomicInteger batches = new AtomicInteger();

    @Test
    void theLoopEndsWithTheBatchThatReturnsFalse() {
        Batches.repeat(() -> Future.succeededFuture(batches.incrementAndGet() < 3))
                .await();
        assertThat(batches).hasValue(3);
    }

    @Test
    void theLoopEndsWithTheBatchThatFails() {
        var end = Batches.repeat(() -> batches.incrementAndGet() < 3
                ? Future.succeededFuture(true)
                : Future.failedFuture(new IllegalStateException("the third")));
        assertThatThrownBy(end::await).hasMessage("the third");
        assertThat(batches).hasValue(3);
    }

    @Test
    void manyImmediateBatchesDoNotFillTheStack() {
        Batches.repeat(() -> Future.succeededFuture(batches.incrementAndGet() < MANY))
                .await();
        assertThat(batches).hasValue(MANY);
    }

    @Test
    void manySlowBatchesDoNotFillTheStack(Vertx vertx, VertxTestContext test) {
        vertx.runOnContext(start -> Batches.repeat(() -> later(vertx))
                .onComplete(test.succeeding(done -> test.verify(() -> {
                    assertThat(batches).hasValue(MANY);
                    test.completeNow();
                }))));
    }

    private Future<Boolean> later(Vertx vertx) {
        var done = Promise.<Boolean>promise();
        vertx.runOnContext(later -> done.complete(batches.incrementAndGet() < MANY));
        return done.future();
    }
}
