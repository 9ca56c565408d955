package dev.vestibule.mail;

import java.util.regex.Pattern;

/** Names that people chose, on their way into a mail. */
final class SafeText {
    /** Breaks of lines, whatever else controls, and marks that turn the direction of the text behind them. */
    private static final Pattern UNSAFE = Pattern.compile(
            "[\\p{Cc}\\x{2028}\\x{2029}\\x{061C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]+");

    private SafeText() {}

    /** The name without what would end a header or turn the text around it. */
    static String singleLine(String name) {
        return UNSAFE.matcher(name).replaceAll(" ").strip();
    }
}
