package dev.vestibule.config;

/** The life of signing keys, and how many checked tokens are remembered. */
public record TokenSettings(int signingKeyDays, int cacheSize) {
    static TokenSettings read(SettingsSection tokens) {
        return new TokenSettings(
                tokens.value(
                        "signingKeyDays",
                        SettingType.days(0, 3650),
                        "90",
                        "A project's signing key is replaced at this age, without a broken token; 0 for never."),
                tokens.value(
                        "cacheSize",
                        SettingType.wholeNumber(0, 10_000_000),
                        "100000",
                        "Most access tokens remembered as having a good signature."));
    }
}
