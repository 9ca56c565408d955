package dev.vestibule.webhook.delivery;

import dev.vestibule.database.NodeLease;
import dev.vestibule.journal.Journal;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the deliverer when a commit wakes it, and at intervals for deliveries that are due again or that another node
 * left. It is a worker verticle, because opening secrets and signing would block an event loop.
 */
public final class WebhookVerticle extends VerticleBase {
    private final Supplier<Deliverer> factory;
    private final Duration pollInterval;
    private final Duration stopLimit;
    private @Nullable Deliverer deliverer;

    public WebhookVerticle(Supplier<Deliverer> factory, Duration pollInterval, Duration stopLimit) {
        this.factory = factory;
        this.pollInterval = pollInterval;
        this.stopLimit = stopLimit;
    }

    @Override
    public Future<?> start() {
        var created = factory.get();
        deliverer = created;
        vertx.eventBus().<String>localConsumer(Journal.WAKE_UP, message -> created.wakeUp());
        vertx.setPeriodic(pollInterval.toMillis(), due -> created.wakeUp());
        vertx.setPeriodic(NodeLease.CHECK.toMillis(), due -> created.keepClaims());
        created.wakeUp();
        return Future.succeededFuture();
    }

    /** Waits for the attempts in flight. */
    @Override
    public Future<?> stop() {
        return deliverer == null ? Future.succeededFuture() : deliverer.stop(stopLimit);
    }
}
