package dev.vestibule.mail;

import dev.vestibule.http.Links;
import java.util.regex.Pattern;

/** Makes text that users chose, such as names, safe for a mail or an SMS. */
public final class SafeText {
    /** Line breaks and other control characters, and marks that change the text direction. */
    private static final Pattern UNSAFE = Pattern.compile(
            "[\\p{Cc}\\x{2028}\\x{2029}\\x{061C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]+");

    private SafeText() {}

    /**
     * A name that strangers can read: on one line, and without anything that becomes a link, even if the name is older
     * than that rule.
     */
    public static String name(String text) {
        return Links.removeFrom(singleLine(text));
    }

    /** Replaces characters that could end a header or change the direction of the text around it. */
    public static String singleLine(String text) {
        return UNSAFE.matcher(text).replaceAll(" ").strip();
    }
}
