package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;

/**
 * The most that an imported hash may cost: each sign in pays for it, and anyone who knows an email can cause one.
 * Hashes that are already stored are verified regardless of the ceilings, as long as this node has the memory for them.
 *
 * @param memory this node's budget for the hashes that it computes at once
 */
public record HashCeilings(
        int argon2MemoryKib,
        int argon2Work,
        int argon2Parallelism,
        int bcryptCost,
        int scryptWorkBytes,
        int pbkdf2Iterations,
        HashMemory memory) {

    /** A user whose hash does not fit in memory could never sign in. */
    void requireMemoryFor(HashMemory needed) {
        requireMemory(needed.heapKib(), memory.heapKib(), "passwords.heapBudget");
        requireMemory(needed.nativeKib(), memory.nativeKib(), "passwords.nativeBudget");
    }

    private static void requireMemory(long needed, long budget, String setting) {
        if (needed > budget) {
            throw new InvalidValueException("must need at most %d KiB of memory (the server's setting %s), not %d"
                    .formatted(budget, setting, needed));
        }
    }

    static void require(String parameter, long value, int ceiling, String setting) {
        if (value > ceiling) {
            throw new InvalidValueException("must have %s of at most %d (the server's setting %s), not %d"
                    .formatted(parameter, ceiling, setting, value));
        }
    }
}
