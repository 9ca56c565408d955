package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of lookups of new passwords in the service for breached passwords. */
public final class PasswordMeters {
    private final Counter clear;
    private final Counter breached;
    private final Counter failed;

    PasswordMeters(MeterRegistry registry) {
        clear = lookups(registry, "clear");
        breached = lookups(registry, "breached");
        failed = lookups(registry, "failed");
    }

    private static Counter lookups(MeterRegistry registry, String outcome) {
        return Counter.builder("vestibule.passwords.breach_lookups")
                .description("Look-ups of new passwords in the service of breached ones; after a failed one they pass")
                .tag("outcome", outcome)
                .register(registry);
    }

    public void lookedUp(boolean isBreached) {
        (isBreached ? breached : clear).increment();
    }

    public void lookUpFailed() {
        failed.increment();
    }
}
