package dev.vestibule.mail;

import java.util.Locale;

/** What the code in a mail is good for. */
public enum Purpose {
    VERIFICATION,
    PASSWORD_RESET;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Purpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
