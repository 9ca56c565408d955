package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/** The parts of a hash as texts: numbers, and bytes in the alphabets that the forms use. */
final class Encoded {
    private static final int LEAST_SALT = 8;
    private static final int LEAST_HASH = 16;
    private static final int MOST = 64;

    private Encoded() {}

    /** A number of at most nine digits; the name completes the complaint. */
    static int number(String digits, int least, int most, String name) {
        var number = Integer.parseInt(digits);
        if (number < least || number > most) {
            throw new InvalidValueException("must have %s from %d to %d".formatted(name, least, most));
        }
        return number;
    }

    /** Base64 with or without padding; passlib writes a dot for the plus. */
    static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text.replace('.', '+'));
        } catch (IllegalArgumentException broken) {
            throw new InvalidValueException("must have its salt and its hash in whole bytes of Base64");
        }
    }

    static byte[] hex(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException broken) {
            throw new InvalidValueException("must have its hash in whole bytes of hexadecimal digits");
        }
    }

    /** Some use the text of the salt itself. */
    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] salt(byte[] salt) {
        return within(salt, LEAST_SALT, "a salt");
    }

    static byte[] hash(byte[] hash) {
        return within(hash, LEAST_HASH, "an output");
    }

    private static byte[] within(byte[] bytes, int least, String name) {
        if (bytes.length < least || bytes.length > MOST) {
            throw new InvalidValueException("must have %s of %d to %d bytes".formatted(name, least, MOST));
        }
        return bytes;
    }
}
