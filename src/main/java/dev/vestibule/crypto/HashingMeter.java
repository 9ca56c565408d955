package dev.vestibule.crypto;

import java.time.Duration;
import java.util.function.IntSupplier;

/** What the hashing pool tells of itself. */
public interface HashingMeter {
    void register(IntSupplier queueLength, IntSupplier activeThreads);

    void hashed(Duration waited, Duration hashed);

    void rejected();
}
