package dev.vestibule.mail;

import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.error.InvalidValueException;
import java.util.regex.Pattern;

/** The text of the codes that reset a password: 65 bits in Crockford's base32. */
final class ResetCode {
    private static final int LENGTH = 13;
    private static final Pattern CODE = Pattern.compile("[" + CrockfordBase32.ALPHABET + "]{" + LENGTH + "}");

    private ResetCode() {}

    static String random() {
        return RandomSecrets.text(CrockfordBase32.ALPHABET, LENGTH);
    }

    static String parse(String typed) {
        var code = CrockfordBase32.canonical(typed);
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
