package dev.vestibule.page.hosted;

import dev.vestibule.access.captcha.CaptchaPurpose;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The screens of the page. */
enum Screen {
    SIGN_IN,
    SIGN_UP,
    FORGOT_PASSWORD,
    SMS_CODE,
    MAGIC_LINK,
    EMAIL_CODE,
    /** The email alone, which says how the person signs in, where organizations have connected their own providers. */
    EMAIL,
    /** A code by mail proves the email of a new account. */
    VERIFY,
    ENTER_EMAIL_CODE,
    ENTER_SMS_CODE,
    LINK_SENT,
    /** The browser has opened the link of a mail, which a click confirms, since mail filters open links. */
    LINK,
    LINK_ELSEWHERE,
    RESET_PASSWORD,
    /** The screen after {@link #SIGN_IN} has sent a passkey. */
    PASSKEY,
    SECOND_FACTOR,
    /** As {@link #SECOND_FACTOR}, for those who do not have their authenticator app at hand. */
    BACKUP_CODE,
    /** The project requires a second factor, and the person has none yet. */
    SET_UP_FACTOR,
    BACKUP_CODES,
    /** The person is signed in and returns to the application. */
    GO_ON,
    /** The person is signed in, in a visit without an application. */
    DONE,
    /** The person is asked whether a client may have what it wants. */
    CONSENT,
    /** A client that nobody has agreed to gets nothing, and the person may go back to it all the same. */
    SEND_BACK,
    /** The person types the code that another device shows. */
    DEVICE,
    /** The device gets access, or none. */
    DEVICE_ALLOWED,
    DEVICE_REFUSED,
    /** The person chooses between the account of the browser and another one. */
    CHOOSE_ACCOUNT,
    /** The person is asked whether to sign out, since the client did not show whose session it means. */
    LOGOUT,
    SIGNED_OUT,
    /** A client has sent the browser in a way that nothing can be sent back to. */
    WRONG_REQUEST,
    /** The account of the person, and steps of a change of it. */
    ACCOUNT,
    ACCOUNT_EMAIL,
    ACCOUNT_PHONE,
    ACCOUNT_FACTOR,
    ACCOUNT_DELETED,
    /** What an organization's own administrator sets up with a link. */
    SETUP,
    SETUP_OVER,
    /** The person goes to a provider. */
    LEAVE,
    EXPIRED,
    UNKNOWN,
    /** The server cannot answer; the page belongs to no project. */
    FAILED;

    /** The name in URLs. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What the solution of a captcha in its form must be for; empty for a form that sends nothing to anybody. */
    Optional<CaptchaPurpose> captcha() {
        return switch (this) {
            case SIGN_UP -> Optional.of(CaptchaPurpose.SIGN_UP);
            case FORGOT_PASSWORD -> Optional.of(CaptchaPurpose.FORGOT_PASSWORD);
            case EMAIL_CODE -> Optional.of(CaptchaPurpose.EMAIL_CODE);
            case SMS_CODE -> Optional.of(CaptchaPurpose.SMS_CODE);
            case MAGIC_LINK -> Optional.of(CaptchaPurpose.MAGIC_LINK);
            default -> Optional.empty();
        };
    }

    /** A screen that a visit can begin with. */
    static Optional<Screen> entry(String text) {
        return named(text).filter(Screen::isEntry);
    }

    /** A screen that a button of another one leads to, with what was typed there. */
    static Optional<Screen> linked(String text) {
        return named(text).filter(screen -> screen.isEntry() || screen.asksForFactor());
    }

    private static Optional<Screen> named(String text) {
        return Arrays.stream(values())
                .filter(screen -> screen.text().equals(text))
                .findFirst();
    }

    private boolean isEntry() {
        return compareTo(EMAIL_CODE) <= 0;
    }

    /** Whether it goes on with a sign in whose first step is done. */
    boolean asksForFactor() {
        return this == SECOND_FACTOR || this == BACKUP_CODE;
    }
}
