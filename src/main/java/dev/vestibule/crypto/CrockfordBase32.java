package dev.vestibule.crypto;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Crockford's base32, for codes that people read and type: no letter looks like a digit or another letter, and a letter
 * that is typed instead of a digit is read as that digit. We found no well-maintained library for it.
 */
public final class CrockfordBase32 {
    /** The digits, in the order of their values, 5 bits each. */
    public static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final int MAX_TYPED = 64;
    private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Z}\\p{Pd}]+");

    private CrockfordBase32() {}

    /**
     * The code as it was issued: without dashes and spaces, in upper case, with O as 0, and I and L as 1; empty if too
     * long.
     */
    public static String canonical(String typed) {
        return typed.length() > MAX_TYPED
                ? ""
                : SEPARATORS
                        .matcher(typed)
                        .replaceAll("")
                        .toUpperCase(Locale.ROOT)
                        .replace('O', '0')
                        .replace('I', '1')
                        .replace('L', '1');
    }
}
