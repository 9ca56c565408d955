package dev.vestibule.config;

/** The size of the cache of search totals. */
public record UserSettings(int totalsCacheSize) {
    static UserSettings read(SettingsSection users) {
        return new UserSettings(users.value(
                "totalsCacheSize",
                SettingType.wholeNumber(0, 1_000_000),
                "10000",
                "Maximum number of search terms whose number of matching users is remembered."));
    }
}
