package dev.vestibule.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

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
                        new SettingType<>(LogLevel.FORM, true, LogLevel::parse),
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

    /**
     * The least level that is logged.
     *
     * @param logger the prefix of the loggers' names; empty for all loggers without a more specific level
     */
    public record LogLevel(String logger, Level level) {
        static final String FORM =
                "off, error, warn, info, debug or trace, or such a level for the loggers below a name:"
                        + " dev.vestibule.webhook=debug";
        private static final Pattern NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$.]*");

        /** The levels of all logging libraries. */
        public enum Level {
            OFF,
            ERROR,
            WARN,
            INFO,
            DEBUG,
            TRACE
        }

        static LogLevel parse(String text) {
            var equals = text.indexOf('=');
            var logger = equals < 0 ? "" : text.substring(0, equals).strip();
            if (equals >= 0 && !NAME.matcher(logger).matches()) {
                throw new IllegalArgumentException();
            }
            return new LogLevel(
                    logger, Level.valueOf(text.substring(equals + 1).strip().toUpperCase(Locale.ROOT)));
        }
    }
}
