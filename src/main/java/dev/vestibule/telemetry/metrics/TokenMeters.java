package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of access tokens. */
public final class TokenMeters {
    private final Counter claimsLeftOut;

    TokenMeters(MeterRegistry registry) {
        claimsLeftOut = Counter.builder("vestibule.tokens.claims.left.out")
                .description("Claims of templates that are not in a token, because they were too large for it")
                .register(registry);
    }

    public void claimLeftOut() {
        claimsLeftOut.increment();
    }
}
