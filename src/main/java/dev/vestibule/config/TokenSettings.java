package dev.vestibule.config;

/** The lifetime and number of signing keys, and the size of the cache of verified tokens. */
public record TokenSettings(int signingKeyDays, int maxSigningKeys, int cacheSize) {
    static TokenSettings read(SettingsSection tokens) {
        return new TokenSettings(
                tokens.value(
                        "signingKeyDays",
                        SettingType.days(0, 3650),
                        "90",
                        "A project's signing key is replaced at this age; valid tokens stay valid. 0 means never."),
                tokens.value(
                        "maxSigningKeys",
                        SettingType.wholeNumber(2, 100),
                        "10",
                        "Maximum number of signing keys that a project can have at once through rotations by its"
                                + " owners."),
                tokens.value(
                        "cacheSize",
                        SettingType.wholeNumber(0, 10_000_000),
                        "100000",
                        "Maximum number of access tokens whose signature is remembered as valid."));
    }
}
