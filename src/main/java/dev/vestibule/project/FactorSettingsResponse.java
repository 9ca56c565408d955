package dev.vestibule.project;

import org.jspecify.annotations.Nullable;

/** The factor settings, as a part of the project's response. */
record FactorSettingsResponse(
        Factors factors,
        MfaRequirement requireMfa,
        boolean passwordlessSignUp,
        @Nullable String magicLinkUrl) {
    /** Which factors users may have. */
    record Factors(boolean password, boolean totp, boolean passwordless, boolean sms) {}

    static FactorSettingsResponse of(FactorSettings settings) {
        return new FactorSettingsResponse(
                new Factors(settings.password(), settings.totp(), settings.passwordless(), settings.sms()),
                MfaRequirement.ofProject(settings),
                settings.passwordlessSignUp(),
                settings.magicLinkUrl());
    }
}
