package dev.vestibule.telemetry.log;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Escapes text so that it cannot mislead a reader: it cannot start a new line, control a terminal or display in another
 * order than it was written.
 */
final class Printable {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@+-]+");

    private Printable() {}

    /** The text on one line: white space becomes a space, and other invisible characters are escaped. */
    static String line(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isVisible(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    /** The value of a field: in quotes if it could be mistaken for several fields. */
    static String value(String text) {
        return PLAIN.matcher(text).matches()
                ? text
                : '"' + line(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    private static String escaped(String text) {
        var line = new StringBuilder(text.length() + 16);
        boolean wasSpace = false;
        for (int i = 0; i < text.length(); i++) {
            var character = text.charAt(i);
            var isSpace = character == '\n' || character == '\r' || character == '\t';
            if (isSpace) {
                line.append(wasSpace ? "" : " ");
            } else if (isVisible(character) || isHalfOfVisible(text, i)) {
                line.append(character);
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            }
            wasSpace = isSpace;
        }
        return line.toString();
    }

    /** Does not count a surrogate, half of a character beyond 16 bits. */
    private static boolean isVisible(char character) {
        return isVisible(Character.getType(character)) && !Character.isSurrogate(character);
    }

    private static boolean isHalfOfVisible(String text, int index) {
        var first = Character.isLowSurrogate(text.charAt(index)) ? index - 1 : index;
        return first >= 0
                && first + 1 < text.length()
                && Character.isSurrogatePair(text.charAt(first), text.charAt(first + 1))
                && isVisible(Character.getType(text.codePointAt(first)));
    }

    private static boolean isVisible(int type) {
        return switch (type) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
