package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;

/**
 * The most that a hash may cost to be imported: each sign in pays for it, and anyone who knows an email can cause one. Hashes
 * that are stored already are verified whatever the ceilings are.
 */
public record HashCeilings(
        int argon2MemoryKib,
        int argon2Work,
        int argon2Parallelism,
        int bcryptCost,
        int scryptWorkBytes,
        int pbkdf2Iterations) {

    static void require(String parameter, long value, int ceiling, String setting) {
        if (value > ceiling) {
            throw new InvalidValueException("must have %s of at most %d (the server's setting %s), not %d"
                    .formatted(parameter, ceiling, setting, value));
        }
    }
}
