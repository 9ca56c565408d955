package dev.vestibule.crypto;

import dev.vestibule.error.ApiException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads for password hashing, behind a bounded queue. When the queue is full, further work fails with a 503 at
 * once, so that a flood of sign ins delays only sign ins.
 */
public final class HashingPool implements AutoCloseable {
    private final Vertx vertx;
    private final HashingMeter meter;
    private final ThreadPoolExecutor threads;

    public HashingPool(Vertx vertx, int threadCount, int queueLength, HashingMeter meter) {
        this.vertx = vertx;
        this.meter = meter;
        var number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                threadCount, threadCount, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queueLength), task -> {
                    var thread = new Thread(task, "hashing-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        meter.register(() -> threads.getQueue().size(), threads::getActiveCount);
    }

    /** Runs the work on a hashing thread; the result arrives on the caller's Vert.x context. */
    public <T> Future<T> run(Callable<T> work) {
        Context context = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        var submitted = System.nanoTime();
        try {
            threads.execute(() -> {
                var started = System.nanoTime();
                var outcome = call(work);
                meter.hashed(Duration.ofNanos(started - submitted), Duration.ofNanos(System.nanoTime() - started));
                context.runOnContext(done -> outcome.onComplete(promise));
            });
        } catch (RejectedExecutionException full) {
            meter.rejected();
            return Future.failedFuture(ApiException.unavailable(
                    "Too many sign ins are waiting. Try again in a moment.", Duration.ofSeconds(1)));
        }
        return promise.future();
    }

    private static <T> Future<T> call(Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Throwable failure) { // even an Error must fail the request rather than leave it open
            return Future.failedFuture(failure);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
