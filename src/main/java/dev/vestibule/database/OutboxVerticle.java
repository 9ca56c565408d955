package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the waiting items of an outbox whenever it is woken up, and at an interval, in case a wake-up was lost. It is
 * deployed as a worker, since an item may have to be rendered first, which would block an event loop.
 */
public final class OutboxVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxVerticle.class);

    /** Sends the rows of one outbox. */
    public interface Worker {
        /** Sends a batch of due rows, and returns whether there may be more. */
        Future<Boolean> sendBatch();

        /** Updates the metric of waiting rows. */
        Future<Void> measure();

        Future<Void> close();
    }

    private final String items;
    private final String wakeUpAddress;
    private final Supplier<? extends Worker> workers;
    private final Duration pollInterval;
    private @Nullable Worker worker;
    private Future<Void> running = Future.succeededFuture();
    private boolean isWokenUp;
    private boolean isStopping;

    /** The first argument names the items in the log; the address is on the event bus. */
    public OutboxVerticle(
            String items, String wakeUpAddress, Supplier<? extends Worker> workers, Duration pollInterval) {
        this.items = items;
        this.wakeUpAddress = wakeUpAddress;
        this.workers = workers;
        this.pollInterval = pollInterval;
    }

    @Override
    public Future<?> start() {
        worker = workers.get();
        vertx.eventBus().<String>localConsumer(wakeUpAddress, message -> wakeUp());
        vertx.setPeriodic(pollInterval.toMillis(), due -> wakeUp());
        return Future.succeededFuture();
    }

    /** There is only one run at a time. A wake-up during a run starts another run after it. */
    private void wakeUp() {
        isWokenUp = true;
        if (worker != null && running.isComplete() && !isStopping) {
            var current = worker;
            running = Batches.repeat(() -> run(current).map(done -> isWokenUp && !isStopping));
        }
    }

    /** Sends everything that is due. */
    private Future<Void> run(Worker current) {
        isWokenUp = false;
        return Batches.repeat(() -> current.sendBatch().map(more -> more && !isStopping))
                .compose(done -> current.measure())
                .recover(failure -> {
                    LOG.warn("Cannot read the {} that are due, will retry: {}", items, failure.toString());
                    return Future.succeededFuture();
                });
    }

    /** Waits for the items that are being sent. */
    @Override
    public Future<?> stop() {
        isStopping = true;
        var stopping = worker;
        return stopping == null ? running : running.eventually(stopping::close);
    }
}
