package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of the audit log. */
public final class AuditMeters {
    private final Counter dropped;
    private final Counter beyond;

    AuditMeters(MeterRegistry registry) {
        dropped = Counter.builder("vestibule.audit.dropped")
                .description(
                        "What was refused or refreshed and is not in the audit log, because too many waited to be written")
                .register(registry);
        beyond = Counter.builder("vestibule.audit.beyond_day")
                .description("Refused attempts that are only counted, because their project had too many on that day")
                .register(registry);
    }

    public void beyondDay(long attempts) {
        beyond.increment((double) attempts);
    }

    public void dropped() {
        dropped.increment();
    }
}
