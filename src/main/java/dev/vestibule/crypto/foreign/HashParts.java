package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/** Decodes the parts of a hash: numbers, and bytes in the encodings of the various formats. */
final class HashParts {
    private static final int MIN_SALT_BYTES = 8;
    private static final int MIN_HASH_BYTES = 16;
    private static final int MAX_BYTES = 64;

    private HashParts() {}

    /** A number of at most nine digits, within bounds; the name is for the error message. */
    static int number(String digits, int min, int max, String name) {
        var number = Integer.parseInt(digits);
        if (number < min || number > max) {
            throw new InvalidValueException("must have %s from %d to %d".formatted(name, min, max));
        }
        return number;
    }

    /** Base64 with or without padding; passlib writes a dot instead of a plus. */
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

    /** The salt of formats that use its characters as bytes. */
    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] salt(byte[] salt) {
        return checkLength(salt, MIN_SALT_BYTES, "a salt");
    }

    static byte[] hash(byte[] hash) {
        return checkLength(hash, MIN_HASH_BYTES, "an output");
    }

    private static byte[] checkLength(byte[] bytes, int min, String name) {
        if (bytes.length < min || bytes.length > MAX_BYTES) {
            throw new InvalidValueException("must have %s of %d to %d bytes".formatted(name, min, MAX_BYTES));
        }
        return bytes;
    }
}
