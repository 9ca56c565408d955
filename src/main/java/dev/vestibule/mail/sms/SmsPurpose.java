package dev.vestibule.mail.sms;

import java.time.Duration;
import java.util.Locale;

/** The purpose of the code in an SMS; a code is never valid for another purpose. */
public enum SmsPurpose {
    /** Signs in the user with the number, or signs up a new one. */
    SIGN_IN,
    /** Proves that the number belongs to the user of an account. */
    PHONE;

    /** Starts when the SMS is sent. */
    static final Duration LIFETIME = Duration.ofMinutes(10);

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SmsPurpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
