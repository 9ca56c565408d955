package dev.vestibule.crypto.foreign;

/**
 * What verifying a hash costs: hashes of one kind (algorithm and parameters) take the same time and memory. For all
 * hashes that a project imported together, this is the kind and time of the slowest, and the memory of the largest.
 *
 * @param usualMicros a generous estimate of the time on a core of 2025; each node measures the real time itself
 */
public record HashCost(String kind, long usualMicros, HashMemory memory) {
    static HashCost of(String kind, double usualMicros, HashMemory memory) {
        return new HashCost(kind, (long) Math.ceil(usualMicros), memory);
    }

    /** The combined cost of both, as hashes of one project. */
    public HashCost and(HashCost other) {
        var slower = other.usualMicros > usualMicros ? other : this;
        return new HashCost(slower.kind, slower.usualMicros, memory.max(other.memory));
    }
}
