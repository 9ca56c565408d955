package dev.vestibule.crypto;

import java.time.Duration;
import java.util.function.IntSupplier;

/** What the hashing pool tells of itself. */
public interface HashingMeter {
    void watch(IntSupplier queueLength, IntSupplier activeThreads);

    void ran(Duration waited, Duration hashed);

    void refused();
}
