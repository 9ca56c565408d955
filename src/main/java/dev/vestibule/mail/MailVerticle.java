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
 * Empties the outbox: whenever it is woken up, and from time to time for what nobody told of. A worker: making mails,
 * and compiling their templates before that, holds up no event loop.
 */
public final class MailVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(MailVerticle.class);

    private final Supplier<MailDelivery> maker;
    private final Duration pollInterval;
    private @Nullable MailDelivery delivery;
    private Future<Void> running = Future.succeededFuture();
    private boolean isWokenUp;
    private boolean isStopping;

    MailVerticle(Supplier<MailDelivery> maker, Duration pollInterval) {
        this.maker = maker;
        this.pollInterval = pollInterval;
    }

    @Override
    public Future<?> start() {
        delivery = maker.get();
        vertx.eventBus().<String>localConsumer(MailOutbox.WAKE_UP, message -> wakeUp());
        vertx.setPeriodic(pollInterval.toMillis(), due -> wakeUp());
        return Future.succeededFuture();
    }

    /** One run at a time; who wakes it up meanwhile gets another one after it. */
    private void wakeUp() {
        isWokenUp = true;
        if (delivery != null && running.isComplete() && !isStopping) {
            var awake = delivery;
            running = Batches.repeat(() -> run(awake).map(done -> isWokenUp && !isStopping));
        }
    }

    /** Sends all that is due. */
    private Future<Void> run(MailDelivery awake) {
        isWokenUp = false;
        return Batches.repeat(() -> awake.round().map(more -> more && !isStopping))
                .compose(done -> awake.measure())
                .recover(failure -> {
                    LOG.warn("Looking for mails failed and is tried again: {}", failure.toString());
                    return Future.succeededFuture();
                });
    }

    /** Lets the mails that are under way arrive. */
    @Override
    public Future<?> stop() {
        isStopping = true;
        var stopping = delivery;
        return stopping == null ? running : running.eventually(stopping::close);
    }
}
