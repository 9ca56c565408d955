package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of the audit log. */
public final class AuditMeters {
    private final Counter dropped;

    AuditMeters(MeterRegistry registry) {
        dropped = Counter.builder("vestibule.audit.dropped")
                .description(
                        "What was refused or refreshed and is not in the audit log, because too many waited to be written")
                .register(registry);
    }

    public void dropped() {
        dropped.increment();
    }
}
