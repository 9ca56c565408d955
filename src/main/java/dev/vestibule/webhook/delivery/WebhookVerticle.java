package dev.vestibule.webhook.delivery;

import dev.vestibule.event.EventOutbox;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events: whenever it is woken up, and from time to time what nobody told of. A worker: unsealing and signing
 * hold up no event loop.
 */
public final class WebhookVerticle extends VerticleBase {
    private final Supplier<Deliverer> maker;
    private final Duration pollInterval;
    private final Duration stopLimit;
    private @Nullable Deliverer deliveries;

    public WebhookVerticle(Supplier<Deliverer> maker, Duration pollInterval, Duration stopLimit) {
        this.maker = maker;
        this.pollInterval = pollInterval;
        this.stopLimit = stopLimit;
    }

    @Override
    public Future<?> start() {
        var made = maker.get();
        deliveries = made;
        vertx.eventBus().<String>localConsumer(EventOutbox.WAKE_UP, message -> made.wakeUp());
        vertx.setPeriodic(pollInterval.toMillis(), due -> made.wakeUp());
        made.wakeUp();
        return Future.succeededFuture();
    }

    /** Lets the attempts that are under way end. */
    @Override
    public Future<?> stop() {
        return deliveries == null ? Future.succeededFuture() : deliveries.stop(stopLimit);
    }
}
