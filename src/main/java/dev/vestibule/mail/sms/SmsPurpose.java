package dev.vestibule.mail.sms;

import java.time.Duration;
import java.util.Locale;

/** What the code in an SMS is for; one of one purpose is never good for another. */
public enum SmsPurpose {
    /** Signs in whose number it is, or signs the number up. */
    SIGN_IN,
    /** Proves to an account that the number is its user's. */
    PHONE;

    /** Counted from the time at which the SMS is sent. */
    static final Duration LIFETIME = Duration.ofMinutes(10);

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SmsPurpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
