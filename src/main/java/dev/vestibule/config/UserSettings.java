package dev.vestibule.config;

/** The size of the cache of search totals, and the number of API keys of a user. */
public record UserSettings(int totalsCacheSize, int maxKeys) {
    static UserSettings read(SettingsSection users) {
        return new UserSettings(
                users.value(
                        "totalsCacheSize",
                        SettingType.wholeNumber(0, 1_000_000),
                        "10000",
                        "Maximum number of search terms whose number of matching users is remembered."),
                users.value(
                        "maxKeys",
                        SettingType.wholeNumber(1, 10_000),
                        "20",
                        "Maximum number of API keys of one user."));
    }
}
