package dev.vestibule.config;

/** The signing keys, the cache of verified tokens, and the feed of revocations. */
public record TokenSettings(
        int signingKeyDays, int maxSigningKeys, int cacheSize, int waitingPerProject, int waitingInTotal) {
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
                        "Maximum number of access tokens whose signature is remembered as valid."),
                tokens.value(
                        "waitingPerProject",
                        SettingType.wholeNumber(1, 100_000),
                        "200",
                        "Maximum number of requests of one project that wait for revocations at once on this node."),
                tokens.value(
                        "waitingInTotal",
                        SettingType.wholeNumber(1, 1_000_000),
                        "2000",
                        "The same limit for all projects together."));
    }
}
