package dev.vestibule.config;

import java.util.Optional;

/** Who may become a dashboard user; email and password are both there or both not. */
public record DashboardSettings(Registration registration, Optional<String> email, Optional<Secret> password) {
    /** When a stranger may register as a dashboard user. */
    public enum Registration {
        /** Only while there is none. */
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
                        "Who may register: the first one only, anybody, or nobody."),
                dashboard.optional(
                        "email",
                        SettingType.EMAIL,
                        "admin@example.com",
                        "An account made at the start where it does not exist yet; goes with password."),
                dashboard.optional("password", SettingType.PASSWORD, "<yours>", "The password of that account."));
    }
}
