package dev.vestibule.crypto;

import java.security.SecureRandom;

/** Random bytes from the platform's CSPRNG. */
public final class RandomSecrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomSecrets() {}

    public static byte[] bytes(int count) {
        var bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
