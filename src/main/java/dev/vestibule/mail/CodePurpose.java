package dev.vestibule.mail;

import dev.vestibule.crypto.RandomSecrets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** What the code in a mail is for, which decides how long it is valid and how hard to guess it is. */
public enum CodePurpose {
    /** Typed from one screen to another, so 6 digits; wrong tries have budgets. */
    VERIFICATION(10),
    /** Proves that a user reads the address that will become theirs; otherwise like a verification. */
    EMAIL_CHANGE(10),
    /** Opens the account, so it has 65 bits, which nobody guesses however many accounts there are. */
    PASSWORD_RESET(30),
    /** The code is the token of an invitation, which the invited person may have no account for yet. */
    INVITATION(0),
    /** The code is the token of an invitation to an organization, with a validity of its own. */
    ORGANIZATION_INVITATION(0),
    /** Signs in, and is typed from one screen to another, like a verification. */
    EMAIL_OTP(10),
    /** Signs in with a click, so it has 256 bits, and needs neither the address nor a budget of attempts. */
    MAGIC_LINK(15),
    /** Signs in by the number to which it was sent. */
    SMS_SIGN_IN(10),
    /** Proves that the number belongs to the user of an account. */
    SMS_PHONE(10);

    static final int DIGITS = 6;
    static final List<CodePurpose> SIGN_INS = List.of(EMAIL_OTP, MAGIC_LINK);
    private static final int TOKEN_BYTES = 32;

    private final Duration lifetime;

    CodePurpose(int minutes) {
        this.lifetime = Duration.ofMinutes(minutes);
    }

    /** Counted from the time at which the mail is sent. */
    public Duration lifetime() {
        return lifetime;
    }

    MessageQueue queue() {
        return this == SMS_SIGN_IN || this == SMS_PHONE ? MessageQueue.SMS : MessageQueue.CODES;
    }

    /** In the form in which it is hashed. */
    String newCode() {
        return switch (this) {
            case VERIFICATION, EMAIL_CHANGE, EMAIL_OTP -> RandomSecrets.digits(DIGITS);
            case PASSWORD_RESET -> ResetCode.random();
            case MAGIC_LINK ->
                "ml_" + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(TOKEN_BYTES));
            case INVITATION, ORGANIZATION_INVITATION, SMS_SIGN_IN, SMS_PHONE ->
                throw new UnsupportedOperationException("an invitation or an SMS makes its own");
        };
    }

    /** In the form in which a mail shows it. */
    String readable(String code) {
        return this == PASSWORD_RESET ? ResetCode.grouped(code) : code;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static CodePurpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
