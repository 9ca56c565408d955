package dev.vestibule.config;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The least level that is logged.
 *
 * @param logger the prefix of the loggers' names; empty for all loggers without a more specific level
 */
public record LogLevel(String logger, Level level) {
    static final String FORM = "off, error, warn, info, debug or trace, or such a level for the loggers below a name:"
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
