package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

/** A receiver's header delays the next attempt by at most a day. */
public final class RetryAfterTarget {
    private static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");

    private RetryAfterTarget() {}

    public static void check(String header) {
        RetryAfter.parse(header, NOW)
                .ifPresent(pause -> assertThat(pause).isPositive().isLessThanOrEqualTo(Duration.ofDays(1)));
    }
}
