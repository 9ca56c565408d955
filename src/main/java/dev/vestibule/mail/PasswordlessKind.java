package dev.vestibule.mail;

import dev.vestibule.crypto.RandomSecrets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;

/** What the mail of a sign in without a password carries. */
public enum PasswordlessKind {
    /** Typed from one screen to another, so 6 digits; wrong tries have budgets. */
    EMAIL_OTP(Duration.ofMinutes(10)) {
        @Override
        String newSecret() {
            return RandomSecrets.digits(CodePurpose.DIGITS);
        }
    },
    /** Opened by a click, so it has 256 bits, and needs neither the address beside it nor a budget of tries. */
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

    /** Counted from the time at which the mail is sent. */
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
