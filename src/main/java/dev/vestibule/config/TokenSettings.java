package dev.vestibule.config;

/** The lifetime of signing keys, and the size of the cache of verified tokens. */
public record TokenSettings(int signingKeyDays, int cacheSize) {
    static TokenSettings read(SettingsSection tokens) {
        return new TokenSettings(
                tokens.value(
                        "signingKeyDays",
                        SettingType.days(0, 3650),
                        "90",
                        "A project's signing key is replaced at this age; valid tokens stay valid. 0 means never."),
                tokens.value(
                        "cacheSize",
                        SettingType.wholeNumber(0, 10_000_000),
                        "100000",
                        "Maximum number of access tokens whose signature is remembered as valid."));
    }
}
