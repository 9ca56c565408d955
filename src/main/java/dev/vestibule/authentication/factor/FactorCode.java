package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.error.InvalidValueException;
import java.util.regex.Pattern;

/** What a person types as the second factor: the code of the authenticator app, or a backup code. */
public final class FactorCode {
    private static final Pattern TOTP = Pattern.compile("[0-9]{" + Totp.DIGITS + "}");
    private static final Pattern BACKUP =
            Pattern.compile("[" + CrockfordBase32.ALPHABET + "]{" + BackupCodes.LENGTH + "}");

    private final String text;

    private FactorCode(String text) {
        this.text = text;
    }

    /** A field rule. Apps show codes in groups, and people type what they read. */
    public static FactorCode parse(String typed) {
        var code = CrockfordBase32.canonical(typed);
        if (!TOTP.matcher(code).matches() && !BACKUP.matcher(code).matches()) {
            throw new InvalidValueException("must have " + Totp.DIGITS + " digits, or be a backup code of "
                    + BackupCodes.LENGTH + " characters");
        }
        return new FactorCode(code);
    }

    /** A field rule, where a backup code is not enough. */
    static FactorCode parseTotp(String typed) {
        var code = CrockfordBase32.canonical(typed);
        if (!TOTP.matcher(code).matches()) {
            throw new InvalidValueException("must have " + Totp.DIGITS + " digits");
        }
        return new FactorCode(code);
    }

    String text() {
        return text;
    }

    boolean isBackupCode() {
        return text.length() == BackupCodes.LENGTH;
    }

    /** Redacted, so that a code never reaches a log. */
    @Override
    public String toString() {
        return "FactorCode";
    }
}
