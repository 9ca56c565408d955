package dev.vestibule.crypto.foreign;

/**
 * What verifying a hash costs: hashes of one kind (algorithm and parameters) take the same time.
 *
 * @param usualMicros about how long that is on a core of 2025, rather more; each node measures it itself
 */
public record HashCost(String kind, long usualMicros) {
    static HashCost of(String kind, double usualMicros) {
        return new HashCost(kind, (long) Math.ceil(usualMicros));
    }
}
