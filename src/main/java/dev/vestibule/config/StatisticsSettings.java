package dev.vestibule.config;

import java.time.Duration;

/** How what goes on in projects is counted, and for how long that is kept. */
public record StatisticsSettings(Duration interval, int retentionDays, int projects) {
    static StatisticsSettings read(SettingsSection statistics) {
        return new StatisticsSettings(
                statistics.value(
                        "flushSeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "How often this node writes its counts; a crash loses the counts of one interval."),
                statistics.value(
                        "retentionDays",
                        SettingType.days(31, 3650),
                        "35",
                        "How long the counts are kept. The API shows those of 30 days."),
                statistics.value(
                        "projects",
                        SettingType.wholeNumber(10, 1_000_000),
                        "10000",
                        "Maximum number of projects whose current hour is counted in memory, up to 2 KB each. Activity"
                                + " in further projects at the same time is not counted, and the log says how much that"
                                + " was."));
    }
}
