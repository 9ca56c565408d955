package dev.vestibule.mail;

import dev.vestibule.crypto.RandomSecrets;
import java.time.Duration;
import java.util.Locale;

/** What the code in a mail is for, which decides how long and how hard to guess it is. */
public enum CodePurpose {
    /** Typed from one screen to another, so 6 digits; wrong tries have budgets. */
    VERIFICATION(Duration.ofMinutes(10)) {
        @Override
        String newCode() {
            return RandomSecrets.digits(DIGITS);
        }

        @Override
        String readable(String code) {
            return code;
        }
    },
    /** Proves that a user reads the address that is to become theirs; like a verification in all else. */
    EMAIL_CHANGE(Duration.ofMinutes(10)) {
        @Override
        String newCode() {
            return RandomSecrets.digits(DIGITS);
        }

        @Override
        String readable(String code) {
            return code;
        }
    },
    /** Opens the account, so it has 65 bits, which nobody guesses however many accounts there are. */
    PASSWORD_RESET(Duration.ofMinutes(30)) {
        @Override
        String newCode() {
            return ResetCode.random();
        }

        @Override
        String readable(String code) {
            return ResetCode.grouped(code);
        }
    },
    /** The code is the token of an invitation, which the invited person may have no account for yet. */
    INVITATION(Duration.ZERO) {
        @Override
        String newCode() {
            throw new UnsupportedOperationException(
                    "an invitation makes its own token, and settings say how long it is good");
        }

        @Override
        String readable(String code) {
            return code;
        }
    },
    /** The code is the token of an invitation to an organization, with a validity of its own. */
    ORGANIZATION_INVITATION(Duration.ZERO) {
        @Override
        String newCode() {
            throw new UnsupportedOperationException("the organization's invitation makes its own token");
        }

        @Override
        String readable(String code) {
            return code;
        }
    };

    static final int DIGITS = 6;

    private final Duration lifetime;

    CodePurpose(Duration lifetime) {
        this.lifetime = lifetime;
    }

    /** Counted from the time at which the mail is sent. */
    Duration lifetime() {
        return lifetime;
    }

    /** In the form in which it is hashed. */
    abstract String newCode();

    /** In the form in which a mail shows it. */
    abstract String readable(String code);

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static CodePurpose of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
