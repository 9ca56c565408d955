package dev.vestibule.config;

import java.time.Duration;
import java.util.List;

/** What is logged, and how it is written. */
public record LogSettings(Format format, List<LogLevel> level, boolean requests, Duration slow, int queue) {
    /** The format of a line. */
    public enum Format {
        TEXT,
        JSON
    }

    static LogSettings read(SettingsSection log) {
        return new LogSettings(
                log.value(
                        "format",
                        SettingType.choice(Format.class),
                        "text",
                        "text is for people; json is one object per line."),
                log.list(
                        "level",
                        SettingType.LOG_LEVEL,
                        "info, dev.vestibule.webhook=debug",
                        "What is logged: a level, and other levels for loggers whose names begin with a prefix."
                                + " Default: info. Lines below info are for support, and those of libraries may"
                                + " contain users' data."),
                log.value(
                        "requests",
                        SettingType.FLAG,
                        "false",
                        "true logs every request. Otherwise only those that took slowMillis or longer, or were answered"
                                + " with a 5xx."),
                log.value(
                        "slowMillis",
                        SettingType.millis(1, 600_000),
                        "1000",
                        "A request that takes this long is logged as a warning."),
                log.value(
                        "queue",
                        SettingType.wholeNumber(64, 1_048_576),
                        "8192",
                        "How many lines may wait to be written. Further ones are dropped and counted"
                                + " (vestibule_log_dropped_total): no request waits for the log."));
    }
}
