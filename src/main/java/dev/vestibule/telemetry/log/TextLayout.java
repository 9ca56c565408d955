package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;
import java.time.ZoneOffset;

/**
 * Time in UTC, level, logger, message and fields ({@code name=value}); the stack trace follows on indented lines. So a
 * line that begins with a time is an event, whatever a message contains.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    static final String TIME = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
    private static final int LEVEL_WIDTH = 5;
    private static final int LOGGER_LENGTH = 24;
    private static final String INDENT = "    ";

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
                .append(Printable.line(event.getFormattedMessage()));
        var fields = event.getKeyValuePairs();
        if (fields != null) {
            fields.forEach(field -> append(line, field.key, String.valueOf(field.value)));
        }
        event.getMDCPropertyMap().forEach((name, value) -> append(line, name, value));
        line.append(System.lineSeparator());
        var failure = event.getThrowableProxy();
        if (failure != null) {
            ThrowableProxyUtil.asString(failure)
                    .lines()
                    .forEach(traced ->
                            line.append(INDENT).append(Printable.line(traced)).append(System.lineSeparator()));
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String name, String value) {
        line.append(' ').append(name).append('=').append(Printable.value(value));
    }
}
