package dev.vestibule.crypto;

import java.time.Duration;
import java.util.function.IntSupplier;

/** Receives the measurements of the hashing pool, so that this package does not depend on a metrics library. */
public interface HashingMeter {
    void register(IntSupplier queueLength, IntSupplier activeThreads);

    void hashed(Duration waited, Duration hashed);

    void rejected();

    /** A password was not verified, because its hash needs more memory than this node has for hashes. */
    void tooLarge();
}
