package dev.vestibule.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element of the header {@code Forwarded} (RFC 7239, section 4): pairs of a name and a value, which may be quoted.
 * The header is split from its right end, because the client may have written its beginning: a quote that the client
 * leaves open does not affect the elements that proxies have added after it.
 */
final class ForwardedElement {
    private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

    private final String text;
    private int position;

    private ForwardedElement(String text) {
        this.text = text;
    }

    /** The unparsed elements, last one first. */
    static List<String> splitFromTheRight(String header) {
        var elements = new ArrayList<String>();
        var end = header.length();
        var isQuoted = false;
        for (int i = end - 1; i >= 0; i--) {
            var c = header.charAt(i);
            if (c == '"' && !(isQuoted && isEscaped(header, i))) {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                elements.add(header.substring(i + 1, end));
                end = i;
            }
        }
        elements.add(header.substring(0, end));
        return elements;
    }

    private static boolean isEscaped(String header, int index) {
        var backslashes = 0;
        while (backslashes < index && header.charAt(index - backslashes - 1) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    /** The value of {@code for}; null if there is none, or two, or the element breaks the grammar anywhere. */
    static @Nullable String nodeFor(String element) {
        return new ForwardedElement(element).nodeFor();
    }

    private @Nullable String nodeFor() {
        String node = null;
        do {
            skipSpace();
            if (isAtEnd() || next() == ';') {
                continue; // an empty pair is allowed
            }
            var name = token();
            if (name.isEmpty() || !take('=')) {
                return null;
            }
            var value = take('"') ? quoted() : unquoted();
            if (value == null) {
                return null;
            }
            if (name.equalsIgnoreCase("for")) {
                if (node != null) {
                    return null;
                }
                node = value;
            }
            skipSpace();
        } while (take(';'));
        return isAtEnd() ? node : null;
    }

    private String token() {
        var start = position;
        while (!isAtEnd() && isTokenCharacter(next())) {
            position++;
        }
        return text.substring(start, position);
    }

    /** Some proxies leave out the quotes that an address with a port needs. */
    private String unquoted() {
        var start = position;
        while (!isAtEnd() && (isTokenCharacter(next()) || "[]:".indexOf(next()) >= 0)) {
            position++;
        }
        return text.substring(start, position);
    }

    /** Null if the closing quote is missing. */
    private @Nullable String quoted() {
        var value = new StringBuilder();
        while (!isAtEnd()) {
            if (take('"')) {
                return value.toString();
            }
            if (take('\\') && isAtEnd()) {
                return null;
            }
            value.append(next());
            position++;
        }
        return null;
    }

    private boolean take(char c) {
        var isThere = !isAtEnd() && next() == c;
        if (isThere) {
            position++;
        }
        return isThere;
    }

    private void skipSpace() {
        while (!isAtEnd() && (next() == ' ' || next() == '\t')) {
            position++;
        }
    }

    private boolean isAtEnd() {
        return position == text.length();
    }

    private char next() {
        return text.charAt(position);
    }

    private static boolean isTokenCharacter(char c) {
        var isLetter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        return isLetter || (c >= '0' && c <= '9') || TOKEN_SIGNS.indexOf(c) >= 0;
    }
}
