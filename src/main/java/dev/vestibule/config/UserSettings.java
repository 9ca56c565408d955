package dev.vestibule.config;

/** How many totals of searches a node remembers. */
public record UserSettings(int totalsCacheSize) {
    static UserSettings read(SettingsSection users) {
        return new UserSettings(users.value(
                "totalsCacheSize",
                SettingType.wholeNumber(0, 1_000_000),
                "10000",
                "Most terms of searches for users whose number of matches is remembered."));
    }
}
