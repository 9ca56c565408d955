package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;

/** Rules for all text that comes from clients. */
public final class Text {
    private static final int MAX_REPEATED = 100;

    private Text() {}

    /** The first 100 characters of a text that a message repeats, such as the name of a field. */
    static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_REPEATED
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_REPEATED)) + "…";
    }

    /** One line of 1 to {@code maxCharacters} characters, without leading and trailing white space. */
    public static String line(String text, int maxCharacters) {
        var line = printable(text.strip());
        var length = line.codePointCount(0, line.length());
        if (length < 1 || length > maxCharacters) {
            throw new InvalidValueException("must have 1 to " + maxCharacters + " characters");
        }
        return line;
    }

    /**
     * Rejects control characters, which could break a mail header or a log line; PostgreSQL cannot store NUL at all.
     */
    public static String printable(String text) {
        var hasSurrogates = false;
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                throw new InvalidValueException("must not contain control characters");
            }
            hasSurrogates |= Character.isSurrogate(c);
        }
        return hasSurrogates ? wellFormed(text) : text;
    }

    /** Rejects lone surrogates: UTF-8 cannot encode them, so two different texts would become the same bytes. */
    public static String wellFormed(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    throw new InvalidValueException("must be well-formed Unicode");
                }
                i++; // the other half of the pair
            }
        }
        return text;
    }
}
