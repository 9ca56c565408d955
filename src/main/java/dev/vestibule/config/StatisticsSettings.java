package dev.vestibule.config;

import java.time.Duration;

/** How the activity of projects is counted, and how long the counts are kept. */
public record StatisticsSettings(Duration interval, int retentionDays, int projects) {
    static StatisticsSettings read(SettingsSection statistics) {
        return new StatisticsSettings(
                statistics.value(
                        "flushSeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "How often what this node has counted is written; a crash loses the counts of the last"
                                + " interval."),
                statistics.value(
                        "retentionDays",
                        SettingType.days(31, 3650),
                        "35",
                        "How long the counts are kept. The API shows those of 30 days."),
                statistics.value(
                        "projects",
                        SettingType.wholeNumber(10, 1_000_000),
                        "10000",
                        "Maximum number of projects whose current hour is counted in memory, up to 2 KB each. What"
                                + " happens in further projects is not counted, and the log says how much that was."));
    }
}
