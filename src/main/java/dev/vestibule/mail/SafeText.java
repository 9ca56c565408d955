package dev.vestibule.mail;

import dev.vestibule.http.Links;
import java.util.regex.Pattern;

/** Makes text that users chose, such as names, safe for a mail or an SMS. */
public final class SafeText {
    /** Line breaks and other control characters, and marks that change the direction of the text after them. */
    private static final Pattern UNSAFE = Pattern.compile(
            "[\\p{Cc}\\x{2028}\\x{2029}\\x{061C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]+");

    private SafeText() {}

    /** A name that strangers may read: on one line, and nothing in it becomes a link, also where it is older than the rule. */
    public static String name(String text) {
        return Links.removeFrom(singleLine(text));
    }

    /** Replaces characters that could end a header or change the direction of the text around it. */
    public static String singleLine(String text) {
        return UNSAFE.matcher(text).replaceAll(" ").strip();
    }
}
