package dev.vestibule.page.hosted;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the page shows. */
enum Screen {
    SIGN_IN,
    SIGN_UP,
    FORGOT_PASSWORD,
    SMS_CODE,
    MAGIC_LINK,
    EMAIL_CODE,
    /** A code by mail proves the email of an account that was just made. */
    VERIFY,
    ENTER_EMAIL_CODE,
    ENTER_SMS_CODE,
    LINK_SENT,
    /** The browser has come by the link of a mail, which a click confirms: mail filters open links. */
    LINK,
    LINK_ELSEWHERE,
    RESET_PASSWORD,
    /** What {@link #SIGN_IN} shows once a passkey was sent. */
    PASSKEY,
    SECOND_FACTOR,
    /** The project requires a second factor, and the person has none yet. */
    SET_UP_FACTOR,
    BACKUP_CODES,
    /** The person is signed in and goes on to the application. */
    GO_ON,
    /** The person is signed in, in a visit without an application. */
    DONE,
    /** The person goes to a provider. */
    LEAVE,
    EXPIRED,
    UNKNOWN;

    /** As it is written in URLs. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One with which a visit can begin. */
    static Optional<Screen> entry(String text) {
        return Arrays.stream(values())
                .filter(screen -> screen.compareTo(EMAIL_CODE) <= 0)
                .filter(screen -> screen.text().equals(text))
                .findFirst();
    }
}
