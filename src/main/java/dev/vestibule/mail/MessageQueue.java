package dev.vestibule.mail;

import java.util.Locale;

/** The parts of the outbox; messages of one do not wait for those of another. */
public enum MessageQueue {
    CODES,
    NOTICES,
    SMS;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
