package dev.vestibule.database;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The pauses between attempts to send an item of an outbox: they double, up to the longest. */
public record Backoff(Duration first, Duration longest) {
    private static final double JITTER = 0.2;
    private static final int MAX_DOUBLINGS = 20;

    /** With jitter, so that items that failed together are not retried together. */
    public Duration after(int attempts) {
        var doubled = first.toMillis() << Math.min(attempts - 1, MAX_DOUBLINGS);
        var capped = Math.min(doubled, longest.toMillis());
        return Duration.ofMillis(Math.round(capped * ThreadLocalRandom.current().nextDouble(1 - JITTER, 1 + JITTER)));
    }
}
