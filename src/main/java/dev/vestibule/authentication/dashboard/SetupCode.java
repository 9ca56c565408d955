package dev.vestibule.authentication.dashboard;

import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.project.Project;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The code with which the first account can be made from another machine: 80 bits in Crockford's base32. It is derived
 * from the master secret and the time at which the database was made, so every node prints the same and none stores it.
 */
public final class SetupCode {
    private static final int CHARACTERS = 16;
    private static final int GROUP = 4;
    private static final int BITS = 5;
    private static final int LOWEST_BITS = (1 << BITS) - 1;

    private final KeyedHash hash;

    public SetupCode(MasterKeys masterKeys) {
        this.hash = new KeyedHash(masterKeys, "setup code");
    }

    /** The code of the database with this built-in project, in groups of four. */
    public String of(Project system) {
        return plain(system).replaceAll("(.{" + GROUP + "})(?!$)", "$1-");
    }

    /** Compares in constant time; case, dashes and spaces do not matter, nor whether a zero or an O was read. */
    boolean matches(Project system, String given) {
        return MessageDigest.isEqual(bytes(plain(system)), bytes(CrockfordBase32.canonical(given)));
    }

    private String plain(Project system) {
        var number = new BigInteger(1, hash.hash(bytes(system.createdAt().toString())));
        var code = new StringBuilder();
        for (int i = 0; i < CHARACTERS; i++) {
            code.append(
                    CrockfordBase32.ALPHABET.charAt(number.shiftRight(i * BITS).intValue() & LOWEST_BITS));
        }
        return code.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
