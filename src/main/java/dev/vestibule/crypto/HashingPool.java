package dev.vestibule.crypto;

import dev.vestibule.crypto.FairQueue.Need;
import dev.vestibule.crypto.FairQueue.RunningJob;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.telemetry.trace.WorkTracer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A few threads for password hashing, behind a bounded queue in which projects take turns. When the queue is full, the
 * project that fills it gets a 503 immediately. Concurrent hashes never take more memory than their budget: the rest
 * wait. So a flood of sign ins delays only sign ins, and only those of its own project.
 */
public final class HashingPool implements AutoCloseable {
    /** Receives the measurements of the hashing pool, so that this package does not depend on a metrics library. */
    public interface HashingMeter {
        void register(IntSupplier queueLength, IntSupplier activeThreads);

        void hashed(Duration waited, Duration hashed);

        void rejected();

        /** A password was not verified, because its hash needs more memory than this node has for hashes. */
        void tooLarge();
    }

    /** How long a piece of work may take. */
    public enum JobLength {
        /** About as long as one hash of this server. */
        SHORT,
        /** Perhaps many times as long, as for a hash of another system; one thread is kept free for short jobs. */
        LONG
    }

    private static final String STEP = "hash a password"; // in traces

    private record Job(Runnable work, Runnable refuse) {}

    private final Vertx vertx;
    private final HashMemory memory;
    private final HashingMeter meter;
    private final @Nullable WorkTracer tracer;
    private final ExecutorService threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final FairQueue<Job> queue;

    /** The memory is the budget for all hashes that run at once. */
    public HashingPool(Vertx vertx, int threadCount, int queueLength, HashMemory memory, HashingMeter meter) {
        this.vertx = vertx;
        this.memory = memory;
        this.meter = meter;
        this.tracer = WorkTracer.of(vertx);
        this.queue = new FairQueue<>(threadCount, queueLength, memory);
        var number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(threadCount + 1, task -> {
            var thread = new Thread(task, "hashing-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        meter.register(this::waiting, this::running);
    }

    /** The budget for all hashes that run at once. */
    HashMemory memory() {
        return memory;
    }

    HashingMeter meter() {
        return meter;
    }

    /** How many jobs wait for a thread. */
    public int waiting() {
        return locked(queue::waiting);
    }

    /** How many jobs threads work on. */
    public int running() {
        return locked(queue::running);
    }

    /** Runs the work of a project, which needs little memory, on a hashing thread. */
    public <T> Future<T> run(UUID project, JobLength duty, Callable<T> work) {
        return run(project, duty, HashMemory.NONE, work);
    }

    /** Runs the work of a project on a hashing thread; the result arrives on the caller's Vert.x context. */
    <T> Future<T> run(UUID project, JobLength duty, HashMemory needed, Callable<T> work) {
        Context context = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        var submitted = System.nanoTime();
        var job = new Job(
                () -> {
                    var started = System.nanoTime();
                    var step = tracer == null ? null : tracer.begin(STEP, (ContextInternal) context);
                    var outcome = call(work);
                    if (step != null) {
                        step.run();
                    }
                    meter.hashed(Duration.ofNanos(started - submitted), Duration.ofNanos(System.nanoTime() - started));
                    context.runOnContext(done -> outcome.onComplete(promise));
                },
                () -> context.runOnContext(refused -> promise.fail(tooManyWait())));
        submit(project, new Need(duty == JobLength.LONG, needed), job).ifPresent(dropped -> {
            meter.rejected();
            dropped.refuse().run();
        });
        return promise.future();
    }

    /** The result, but not before that value of {@link System#nanoTime}; no thread waits for it. */
    <T> Future<T> notBefore(long moment, T result) {
        var millis = Math.round((moment - System.nanoTime()) / 1e6);
        return millis <= 0
                ? Future.succeededFuture(result)
                : vertx.timer(millis, TimeUnit.MILLISECONDS).map(result);
    }

    /** Returns the job that was dropped, if any; it may be another one. */
    private Optional<Job> submit(UUID project, Need need, Job job) {
        lock.lock();
        try {
            queue.add(project, job, need);
            startAll();
            return queue.removeExcess(project);
        } finally {
            lock.unlock();
        }
    }

    private void startAll() {
        for (var next = queue.next(); next.isPresent() && !threads.isShutdown(); next = queue.next()) {
            var started = next.get();
            threads.execute(() -> work(started));
        }
    }

    private void work(RunningJob<Job> started) {
        var begin = System.nanoTime();
        try {
            started.job().work().run();
        } finally {
            lock.lock();
            try {
                queue.finished(started, System.nanoTime() - begin);
                startAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private int locked(IntSupplier read) {
        lock.lock();
        try {
            return read.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    private static ApiException tooManyWait() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE, "Too many sign ins are waiting. Try again in a moment.", Duration.ofSeconds(1));
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
