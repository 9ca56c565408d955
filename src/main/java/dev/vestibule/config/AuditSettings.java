package dev.vestibule.config;

import java.time.Duration;

/** What is in the audit log, and for how long. */
public record AuditSettings(
        boolean enabled,
        boolean refreshes,
        int retentionDays,
        int noteQueue,
        Duration noteInterval,
        int refusedPerDay) {
    static AuditSettings read(SettingsSection audit) {
        return new AuditSettings(
                audit.value(
                        "enabled",
                        SettingType.FLAG,
                        "true",
                        "Whether changes, sign ins and refused sign ins are written to the audit log."),
                audit.value(
                        "refreshes",
                        SettingType.FLAG,
                        "false",
                        "Whether refreshes are written too. An open application refreshes every quarter of an hour, so they"
                                + " would be most of the log."),
                audit.value(
                        "retentionDays",
                        SettingType.days(30, 36_500),
                        "365",
                        "How long the audit log is kept. It is dropped by whole months, so the oldest rows are up to a"
                                + " month older."),
                audit.value(
                        "noteQueue",
                        SettingType.wholeNumber(100, 1_000_000),
                        "10000",
                        "How many refused attempts and refreshes can wait to be written together; further ones are only"
                                + " counted."),
                audit.value(
                        "noteMillis",
                        SettingType.millis(10, 60_000),
                        "250",
                        "How often they are written; a crash loses those of one interval."),
                audit.value(
                        "refusedPerDay",
                        SettingType.wholeNumber(100, 100_000_000),
                        "100000",
                        "Refused attempts of one project and day, in UTC, that are written, on all nodes together; further"
                                + " ones are counted, and the log says once an hour how many."));
    }
}
