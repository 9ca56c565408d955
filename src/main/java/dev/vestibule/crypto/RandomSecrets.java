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

    /** {@code length} characters of the alphabet, uniformly distributed. */
    public static String text(String alphabet, int length) {
        return RANDOM.ints(length, 0, alphabet.length())
                .mapToObj(index -> alphabet.substring(index, index + 1))
                .collect(Collectors.joining());
    }

    /** {@code count} decimal digits, uniformly distributed, including those with leading zeros. */
    public static String digits(int count) {
        return text("0123456789", count);
    }
}
