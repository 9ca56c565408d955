package dev.vestibule.project;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The factor settings, as a part of the project's response. */
record FactorSettingsResponse(
        Factors factors,
        MfaRequirement requireMfa,
        boolean passwordlessSignUp,
        @Nullable String magicLinkUrl,
        @Nullable String passkeyRpId,
        List<String> passkeyOrigins) {
    /** Which factors users may have. */
    record Factors(boolean password, boolean totp, boolean passwordless, boolean sms, boolean passkeys) {}

    static FactorSettingsResponse of(FactorSettings settings) {
        var passkeys = settings.passkeys();
        return new FactorSettingsResponse(
                new Factors(
                        settings.password(),
                        settings.totp(),
                        settings.passwordless(),
                        settings.sms(),
                        passkeys.enabled()),
                MfaRequirement.ofProject(settings),
                settings.passwordlessSignUp(),
                settings.magicLinkUrl(),
                passkeys.rpId(),
                passkeys.origins());
    }
}
