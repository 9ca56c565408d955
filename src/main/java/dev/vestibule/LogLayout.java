package dev.vestibule;

import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/** Time in UTC, level, logger, message, and the stack trace on lines of its own. */
final class LogLayout extends LayoutBase<ILoggingEvent> {
    private static final String TIME = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
    private static final int LEVEL_WIDTH = 5;
    private static final int LOGGER_LENGTH = 24;
    private static final Pattern LINE_BREAKS = Pattern.compile("[\\r\\n]+");

    private final CachingDateFormatter time = new CachingDateFormatter(TIME, ZoneOffset.UTC);
    private final TargetLengthBasedClassNameAbbreviator abbreviator =
            new TargetLengthBasedClassNameAbbreviator(LOGGER_LENGTH);

    @Override
    public String doLayout(ILoggingEvent event) {
        var level = event.getLevel().toString();
        var line = new StringBuilder()
                .append(time.format(event.getTimeStamp()))
                .append(' ')
                .append(level)
                .append(" ".repeat(LEVEL_WIDTH - level.length() + 1))
                .append(abbreviator.abbreviate(event.getLoggerName()))
                .append(' ')
                .append(singleLine(event.getFormattedMessage()))
                .append(System.lineSeparator());
        var failure = event.getThrowableProxy();
        if (failure != null) {
            line.append(ThrowableProxyUtil.asString(failure));
        }
        return line.toString();
    }

    /** One event, one line: a line break in a message must not look like another event. */
    private static String singleLine(String message) {
        return LINE_BREAKS.matcher(message).replaceAll(" ");
    }
}
