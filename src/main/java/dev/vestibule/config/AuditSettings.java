package dev.vestibule.config;

import java.time.Duration;

/** What the audit log records, and how long it is kept. */
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
                        "How often they are written; a crash loses those of the last interval."),
                audit.value(
                        "refusedPerDay",
                        SettingType.wholeNumber(100, 100_000_000),
                        "100000",
                        "How many refused attempts are written per project and day (UTC), on all nodes together;"
                                + " further ones are only counted, and the log reports the number once an hour."));
    }
}
