package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;

/** Meters of access tokens. */
public final class TokenMeters {
    private final MeterRegistry registry;
    private final Counter claimsLeftOut;

    TokenMeters(MeterRegistry registry) {
        this.registry = registry;
        claimsLeftOut = Counter.builder("vestibule.tokens.claims.left.out")
                .description("Claims of templates that are not in a token, because they were too large for it")
                .register(registry);
    }

    public void register(IntSupplier waitingForRevocations) {
        Gauge.builder("vestibule.tokens.revocations.waiting", waitingForRevocations, IntSupplier::getAsInt)
                .description("Requests that wait for the next revocation")
                .strongReference(true)
                .register(registry);
    }

    public void claimLeftOut() {
        claimsLeftOut.increment();
    }
}
