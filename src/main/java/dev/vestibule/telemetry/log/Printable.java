package dev.vestibule.telemetry.log;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Text that cannot pass for more than it is: no line of its own, no command to a terminal, and no text that is shown in
 * another order than it was written.
 */
final class Printable {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@+-]+");

    private Printable() {}

    /** On one line: white space stays as a space, and other characters that show nothing are escaped. */
    static String line(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isVisible(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    /** The value of a field: in quotes where it could be taken for several. */
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

    /** Half of a character beyond 16 bits does not count here. */
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
