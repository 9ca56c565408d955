package dev.vestibule.project;

/** The factor settings, as a part of the project's response. */
record FactorSettingsResponse(Factors factors, MfaRequirement requireMfa) {
    /** Which factors users may have. */
    record Factors(boolean password, boolean totp) {}

    static FactorSettingsResponse of(FactorSettings settings) {
        return new FactorSettingsResponse(
                new Factors(settings.password(), settings.totp()), MfaRequirement.ofProject(settings));
    }
}
