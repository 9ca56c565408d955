package dev.vestibule.mail;

import java.util.Locale;

/** What the code in a mail is for. */
public enum CodePurpose {
    VERIFICATION,
    PASSWORD_RESET;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static CodePurpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
