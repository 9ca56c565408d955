package dev.vestibule.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** When a failed delivery is attempted again: soon at first, then less and less often, for three to four days. */
public final class RetrySchedule {
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));
    private static final double SPREAD = 0.2; // so that deliveries that failed together are not retried together

    private final DoubleSupplier random;

    /** The supplier returns random numbers between 0 and 1. */
    public RetrySchedule(DoubleSupplier random) {
        this.random = random;
    }

    /**
     * The time of the next attempt after this many; empty if that was the last. An endpoint can ask for a longer pause
     * but not for a shorter one: a few seconds each time would use up all attempts within a minute.
     */
    Optional<Instant> next(int attempts, Instant now, Optional<Duration> retryAfter) {
        if (attempts > PAUSES.size()) {
            return Optional.empty();
        }
        var spread = Math.round(PAUSES.get(attempts - 1).toMillis() * (1 + SPREAD * (2 * random.getAsDouble() - 1)));
        return Optional.of(now.plusMillis(
                Math.max(spread, retryAfter.map(Duration::toMillis).orElse(0L))));
    }
}
