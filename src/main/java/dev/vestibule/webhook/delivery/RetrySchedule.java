package dev.vestibule.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** When a delivery that failed is attempted again: soon at first, then less and less often for three days. */
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
    private static final double SPREAD = 0.2; // what failed together does not come back together

    private final DoubleSupplier chance;

    /** The chance is from 0 to 1. */
    public RetrySchedule(DoubleSupplier chance) {
        this.chance = chance;
    }

    /**
     * Empty when so many attempts are all that there are. An endpoint can ask for a longer pause, not for a shorter
     * one: a few seconds each time would use up all attempts within a minute.
     */
    Optional<Instant> next(int attempts, Instant now, Optional<Duration> retryAfter) {
        if (attempts > PAUSES.size()) {
            return Optional.empty();
        }
        var spread = Math.round(PAUSES.get(attempts - 1).toMillis() * (1 + SPREAD * (2 * chance.getAsDouble() - 1)));
        return Optional.of(now.plusMillis(
                Math.max(spread, retryAfter.map(Duration::toMillis).orElse(0L))));
    }
}
