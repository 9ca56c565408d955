package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How users of a project can prove who they are; operations of disabled methods return a 404.
 *
 * @param passwordlessSignUp whether a code or link creates an account for an email or number without one, and a signed
 *     message one for a wallet
 */
public record FactorSettings(
        @ProjectSetting(column = "password_enabled", field = "factors.password")
        boolean password,

        @ProjectSetting(column = "totp_enabled", field = "factors.totp")
        boolean totp,

        @ProjectSetting(column = "mfa_required_since") MfaRequirement requireMfa,

        @ProjectSetting(column = "passwordless_enabled", field = "factors.passwordless")
        boolean passwordless,

        @ProjectSetting(column = "sms_enabled", field = "factors.sms")
        boolean sms,

        @ProjectSetting(column = "passwordless_sign_up") boolean passwordlessSignUp,

        @ProjectSetting(column = "magic_link_url", rule = TextRule.WEB_URL) @Nullable
        String magicLinkUrl,

        PasskeySettings passkeys,

        @ProjectSetting(column = "wallets_enabled", field = "factors.web3")
        boolean wallets) {
    /** How long a user can sign in without the second factor that the project requires. */
    static final Duration GRACE = Duration.ofDays(7);

    public void requirePassword() {
        if (!password) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "This project has no passwords. Sign in another way.");
        }
    }

    public void requirePasswordless() {
        if (!passwordless) {
            throw ApiException.of(
                    ErrorCode.FEATURE_DISABLED, "This project has no codes or links by mail. Sign in another way.");
        }
    }

    public void requireWallets() {
        if (!wallets) {
            throw ApiException.of(
                    ErrorCode.FEATURE_DISABLED, "This project has no sign in with wallets. Sign in another way.");
        }
    }

    public void requireTotp() {
        if (!totp) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "This project has no one-time passwords.");
        }
    }

    /** Whether users need a second factor, at once or after the grace period. */
    public boolean requiresMfa() {
        return requireMfa.since() != null;
    }

    /**
     * The time until which a user can sign in without a second factor, given the start of their grace period; empty if
     * the project requires none.
     */
    public Optional<Instant> enrolmentDeadline(Instant begin) {
        return Optional.ofNullable(requireMfa.since())
                .map(since -> since.isAfter(begin) ? since : begin)
                .map(start -> start.plus(GRACE));
    }

    /**
     * Whether users of a project need a second factor: {@code off} or {@code required}.
     *
     * @param since since when they need one; null if they need none
     */
    public record MfaRequirement(@Nullable Instant since) {
        private static final String OFF = "off";
        private static final String REQUIRED = "required";

        /** Reads a field that a request sends now. */
        static MfaRequirement of(String text, Instant now) {
            return switch (text) {
                case OFF -> new MfaRequirement(null);
                case REQUIRED -> new MfaRequirement(now);
                default -> throw new InvalidValueException("must be off or required");
            };
        }

        @JsonValue
        String text() {
            return since == null ? OFF : REQUIRED;
        }
    }

    /**
     * The passkey settings of a project.
     *
     * @param rpId the domain that passkeys are bound to; null for the host of the first allowed origin
     * @param origins where passkeys can be used, in addition to the allowed origins
     */
    public record PasskeySettings(
            @ProjectSetting(column = "passkeys_enabled", field = "factors.passkeys")
            boolean enabled,

            @ProjectSetting(column = "passkey_rp_id", field = "passkeyRpId", rule = TextRule.RP_ID) @Nullable
            String rpId,

            @ProjectSetting(
                    column = "passkey_origins",
                    field = "passkeyOrigins",
                    rule = TextRule.PASSKEY_ORIGIN,
                    max = 100)
            List<String> origins) {
        public PasskeySettings {
            origins = List.copyOf(origins);
        }
    }
}
