package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;

/** Rules that every text from outside must keep, whatever it means. */
public final class Text {
    private Text() {}

    /** One line of 1 to so many characters, stripped of outer white space. */
    public static String line(String text, int maxCharacters) {
        var line = printable(text.strip());
        var length = line.codePointCount(0, line.length());
        if (length < 1 || length > maxCharacters) {
            throw new InvalidValueException("must have 1 to " + maxCharacters + " characters");
        }
        return line;
    }

    /** No control characters: they have no place in a mail's header, a log's line or a PostgreSQL text (NUL). */
    public static String printable(String text) {
        if (text.codePoints().anyMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029')) {
            throw new InvalidValueException("must not contain control characters");
        }
        return wellFormed(text);
    }

    /** No lone surrogates: they have no UTF-8, so two different texts would become the same bytes. */
    public static String wellFormed(String text) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new InvalidValueException("must be well-formed Unicode");
        }
        return text;
    }
}
