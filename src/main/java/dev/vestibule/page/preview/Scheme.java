package dev.vestibule.page.preview;

import dev.vestibule.error.InvalidValueException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Light or dark, whatever the browser that shows a preview prefers. */
enum Scheme {
    LIGHT("light"),
    DARK("dark");

    private static final Pattern QUERY =
            Pattern.compile("\\(\\s*prefers-color-scheme\\s*:\\s*(light|dark)\\s*\\)", Pattern.CASE_INSENSITIVE);

    private static final Pattern BOTH = Pattern.compile("light dark");

    private final String text;

    Scheme(String text) {
        this.text = text;
    }

    static Scheme of(String text) {
        return switch (text) {
            case "light" -> LIGHT;
            case "dark" -> DARK;
            default -> throw new InvalidValueException("must be light or dark");
        };
    }

    /** The document with the questions after the browser's preference answered, and both schemes made this one. */
    String fixedIn(String html) {
        var answered = QUERY.matcher(html)
                .replaceAll(query -> query.group(1).equalsIgnoreCase(text) ? "(min-width: 0)" : "(max-width: 0)");
        return BOTH.matcher(answered).replaceAll(Matcher.quoteReplacement(text));
    }
}
