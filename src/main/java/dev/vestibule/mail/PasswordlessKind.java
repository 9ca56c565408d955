package dev.vestibule.mail;

import dev.vestibule.crypto.RandomSecrets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;

/** What a mail for a sign in without a password contains. */
public enum PasswordlessKind {
    /** Typed from one screen to another, so it has 6 digits; wrong attempts have budgets. */
    EMAIL_OTP(Duration.ofMinutes(10)) {
        @Override
        String newSecret() {
            return RandomSecrets.digits(CodePurpose.DIGITS);
        }
    },
    /** Opened with a click, so it has 256 bits, and needs neither the address nor a budget of attempts. */
    MAGIC_LINK(Duration.ofMinutes(15)) {
        @Override
        String newSecret() {
            return "ml_" + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(TOKEN_BYTES));
        }
    };

    private static final int TOKEN_BYTES = 32;

    private final Duration lifetime;

    PasswordlessKind(Duration lifetime) {
        this.lifetime = lifetime;
    }

    /** Starts when the mail is sent. */
    Duration lifetime() {
        return lifetime;
    }

    abstract String newSecret();

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PasswordlessKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
