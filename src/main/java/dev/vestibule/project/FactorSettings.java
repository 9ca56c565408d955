package dev.vestibule.project;

import dev.vestibule.error.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * By what users of a project may prove who they are; what is off gets a 404.
 *
 * @param mfaRequiredSince since when users need a second factor; null where they need none
 * @param passwordlessSignUp whether an email or number without an account gets one by a code or link
 */
public record FactorSettings(
        boolean password,
        boolean totp,
        @Nullable Instant mfaRequiredSince,
        boolean passwordless,
        boolean sms,
        boolean passwordlessSignUp,
        @Nullable String magicLinkUrl,
        PasskeySettings passkeys) {
    /** How long a user may do without the second factor that the project requires. */
    static final Duration GRACE = Duration.ofDays(7);

    public void requirePassword() {
        if (!password) {
            throw ApiException.notFound("This project has no passwords. Sign in another way.");
        }
    }

    public void requirePasswordless() {
        if (!passwordless) {
            throw ApiException.notFound("This project has no codes or links by mail. Sign in another way.");
        }
    }

    public void requireTotp() {
        if (!totp) {
            throw ApiException.notFound("This project has no one-time passwords.");
        }
    }

    /** Whether users need a second factor, at once or after the grace. */
    public boolean requiresMfa() {
        return mfaRequiredSince != null;
    }

    /** Until when a user whose time began then may sign in without a second factor; empty where the project requires none. */
    public Optional<Instant> enrolmentDeadline(Instant begin) {
        return Optional.ofNullable(mfaRequiredSince)
                .map(since -> since.isAfter(begin) ? since : begin)
                .map(start -> start.plus(GRACE));
    }
}
