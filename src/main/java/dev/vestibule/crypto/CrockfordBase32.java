package dev.vestibule.crypto;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Crockford's base32, for codes that people read and type: no letter looks like a digit or another letter, and those that
 * are typed for one are taken for it. No well-kept library has it.
 */
public final class CrockfordBase32 {
    /** The digits, in the order of their values, 5 bits each. */
    public static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final int MAX_TYPED = 64;
    private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Z}\\p{Pd}]+");

    private CrockfordBase32() {}

    /** As the code was given: without dashes and blanks, in upper case, with O as 0, and I and L as 1; empty if too long. */
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
