package dev.vestibule.mail;

import dev.vestibule.error.InvalidValueException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Codes in Crockford's base32, which people can read and type: no letter looks like a digit or another letter, and those
 * that are typed for one are taken for it. No well-kept library has it.
 */
final class Base32 {
    static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /** 5 bits each. */
    static final int CODE_LENGTH = 13;

    private static final int MAX_TYPED = 64;
    private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Z}\\p{Pd}]+");
    private static final Pattern CODE = Pattern.compile("[" + ALPHABET + "]{" + CODE_LENGTH + "}");

    private Base32() {}

    /** Whatever the case, the dashes and the blanks; O is 0, and I and L are 1. */
    static String parse(String typed) {
        var code = typed.length() > MAX_TYPED
                ? ""
                : SEPARATORS
                        .matcher(typed)
                        .replaceAll("")
                        .toUpperCase(Locale.ROOT)
                        .replace('O', '0')
                        .replace('I', '1')
                        .replace('L', '1');
        if (!CODE.matcher(code).matches()) {
            throw new InvalidValueException("must be the code of the mail: 13 letters and digits");
        }
        return code;
    }

    /** {@code 7K2MQ-9XD4-RTVW}: short groups are easier to copy. */
    static String grouped(String code) {
        return code.substring(0, 5) + "-" + code.substring(5, 9) + "-" + code.substring(9);
    }
}
