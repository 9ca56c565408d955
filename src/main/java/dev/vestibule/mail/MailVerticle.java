package dev.vestibule.mail;

import dev.vestibule.database.Batches;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the mails in the outbox whenever it is woken up, and at an interval, in case a wake-up was lost. It is deployed as
 * a worker, since rendering mails and compiling templates would block an event loop.
 */
public final class MailVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(MailVerticle.class);

    private final Supplier<MailDelivery> deliveryFactory;
    private final Duration pollInterval;
    private @Nullable MailDelivery delivery;
    private Future<Void> running = Future.succeededFuture();
    private boolean isWokenUp;
    private boolean isStopping;

    MailVerticle(Supplier<MailDelivery> deliveryFactory, Duration pollInterval) {
        this.deliveryFactory = deliveryFactory;
        this.pollInterval = pollInterval;
    }

    @Override
    public Future<?> start() {
        delivery = deliveryFactory.get();
        vertx.eventBus().<String>localConsumer(MailOutbox.WAKE_UP, message -> wakeUp());
        vertx.setPeriodic(pollInterval.toMillis(), due -> wakeUp());
        return Future.succeededFuture();
    }

    /** Only one run at a time. A wake-up during a run starts another run after it. */
    private void wakeUp() {
        isWokenUp = true;
        if (delivery != null && running.isComplete() && !isStopping) {
            var current = delivery;
            running = Batches.repeat(() -> run(current).map(done -> isWokenUp && !isStopping));
        }
    }

    /** Sends all that is due. */
    private Future<Void> run(MailDelivery current) {
        isWokenUp = false;
        return Batches.repeat(() -> current.sendBatch().map(more -> more && !isStopping))
                .compose(done -> current.measure())
                .recover(failure -> {
                    LOG.warn("Cannot read the mails that are due, will retry: {}", failure.toString());
                    return Future.succeededFuture();
                });
    }

    /** Waits for the mails that are being sent. */
    @Override
    public Future<?> stop() {
        isStopping = true;
        var stopping = delivery;
        return stopping == null ? running : running.eventually(stopping::close);
    }
}
