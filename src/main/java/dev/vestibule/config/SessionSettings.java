package dev.vestibule.config;

import java.time.Duration;

/** The grace time of refresh tokens, and how often expired sessions are removed. */
public record SessionSettings(Duration refreshGrace, Duration sweepInterval) {
    static SessionSettings read(SettingsSection sessions) {
        return new SessionSettings(
                sessions.value(
                        "refreshGraceSeconds",
                        SettingType.seconds(0, 300),
                        "10",
                        "A refresh token used again within this time gets the same successor; later it counts as theft"
                                + " and ends the session."),
                sessions.value(
                        "sweepSeconds",
                        SettingType.seconds(1, 86_400),
                        "60",
                        "How often expired sessions are removed."));
    }
}
