package dev.vestibule.config;

import java.util.Optional;

/** Who may register as a dashboard user; email and password are set together or not at all. */
public record DashboardSettings(Registration registration, Optional<String> email, Optional<Secret> password) {
    /** Who may register as a dashboard user without being added by another one. */
    public enum Registration {
        /** Anyone, but only while there is no dashboard user. */
        FIRST,
        OPEN,
        CLOSED
    }

    static DashboardSettings read(SettingsSection dashboard) {
        return new DashboardSettings(
                dashboard.value(
                        "registration",
                        SettingType.choice(Registration.class),
                        "first",
                        "Who may register: only the first dashboard user, everyone, or no one."),
                dashboard.optional(
                        "email",
                        SettingType.EMAIL,
                        "admin@example.com",
                        "The account that the start creates if it does not exist yet; needs password too."),
                dashboard.optional("password", SettingType.PASSWORD, "<yours>", "The password of that account."));
    }
}
