package dev.vestibule.crypto;

import java.security.SecureRandom;
import java.util.stream.Collectors;

/** Random bytes from the platform's CSPRNG. */
public final class RandomSecrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomSecrets() {}

    public static byte[] bytes(int count) {
        var bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** {@code count} decimal digits, uniformly distributed, including those with leading zeros. */
    public static String digits(int count) {
        return RANDOM.ints(count, 0, 10).mapToObj(Integer::toString).collect(Collectors.joining());
    }
}
