package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Meters of this node as a whole, for alerts. */
public final class NodeMeters {
    private final MeterRegistry registry;

    NodeMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Shows whether the node accepts requests. */
    public void registerReady(BooleanSupplier isServing) {
        flag("vestibule.ready", "Whether this node takes requests: not while it starts or stops", isServing);
    }

    /** Shows whether the node learns what other nodes change. */
    public void registerFeed(BooleanSupplier isHealthy) {
        flag(
                "vestibule.feed.healthy",
                "Whether this node hears what other nodes change; if not, it asks the database for what is cached",
                isHealthy);
    }

    /** Counts the lines that the log had no room for. */
    public void registerLog(LongSupplier dropped) {
        counter("vestibule.log.dropped", "Log lines that were dropped because too many waited to be written", dropped);
    }

    /** Counts attempts to open values that no master secret of this node can open. */
    public void registerSecrets(LongSupplier unknown) {
        counter(
                "vestibule.secrets.unknown",
                "Attempts to open what was sealed under a master secret that this node does not have",
                unknown);
    }

    private void flag(String name, String description, BooleanSupplier holds) {
        Gauge.builder(name, () -> holds.getAsBoolean() ? 1 : 0)
                .description(description)
                .register(registry);
    }

    private void counter(String name, String description, LongSupplier count) {
        FunctionCounter.builder(name, registry, counted -> count.getAsLong())
                .description(description)
                .register(registry);
    }
}
