package dev.vestibule.page.preview;

import dev.vestibule.error.InvalidValueException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The colour scheme of a preview, whatever the browser prefers. */
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

    /**
     * The document with its {@code prefers-color-scheme} queries resolved and its colour schemes replaced by this one.
     */
    String applyTo(String html) {
        var answered = QUERY.matcher(html)
                .replaceAll(query -> query.group(1).equalsIgnoreCase(text) ? "(min-width: 0)" : "(max-width: 0)");
        return BOTH.matcher(answered).replaceAll(Matcher.quoteReplacement(text));
    }
}
