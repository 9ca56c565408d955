package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.server.MaintenanceVerticle.Task;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.Checkpoint;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class MaintenanceVerticleTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Supplier<Future<Void>> NOTHING = Future::succeededFuture;

    @Test
    void aTaskIsRepeatedEvenIfItFailsOrThrows(Vertx vertx, VertxTestContext test) {
        Checkpoint runs = test.checkpoint(6);
        var count = new AtomicInteger();
        Supplier<Future<Void>> work = () -> {
            if (count.incrementAndGet() <= 6) {
                runs.flag();
            }
            return switch (count.get() % 3) {
                case 0 -> throw new IllegalStateException("thrown");
                case 1 -> Future.failedFuture("failed");
                default -> Future.succeededFuture();
            };
        };
        vertx.deployVerticle(new MaintenanceVerticle(List.of(Task.every(SOON, "counting", work)), NOTHING))
                .onFailure(test::failNow);
    }

    @Test
    void oneRunEndsBeforeTheNextBegins(Vertx vertx, VertxTestContext test) {
        Checkpoint runs = test.checkpoint(5);
        var underWay = new AtomicInteger();
        var count = new AtomicInteger();
        Supplier<Future<Void>> work = () -> {
            test.verify(() -> assertThat(underWay.incrementAndGet()).isEqualTo(1));
            return vertx.timer(5).map(slow -> {
                underWay.decrementAndGet();
                if (count.incrementAndGet() <= 5) {
                    runs.flag();
                }
                return null;
            });
        };
        vertx.deployVerticle(new MaintenanceVerticle(List.of(Task.every(SOON, "counting", work)), NOTHING))
                .onFailure(test::failNow);
    }

    @Test
    void aTaskFromTheStartDoesNotWaitForItsInterval(Vertx vertx, VertxTestContext test) {
        Supplier<Future<Void>> work = () -> {
            test.completeNow();
            return Future.succeededFuture();
        };
        vertx.deployVerticle(new MaintenanceVerticle(List.of(Task.fromTheStart(NEVER, "starting", work)), NOTHING))
                .onFailure(test::failNow);
    }

    @Test
    void theWorkAtStopIsDoneBeforeTheVerticleIsUndeployed(Vertx vertx, VertxTestContext test) {
        var isDone = new AtomicInteger();
        Supplier<Future<Void>> atStop = () -> vertx.timer(5).map(later -> {
            isDone.incrementAndGet();
            return null;
        });
        vertx.deployVerticle(new MaintenanceVerticle(List.of(), atStop))
                .compose(vertx::undeploy)
                .onComplete(test.succeeding(gone -> test.verify(() -> {
                    assertThat(isDone).hasValue(1);
                    test.completeNow();
                })));
    }
}
