package dev.vestibule.telemetry.trace.otlp;

import java.io.IOException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Forwards what OpenTelemetry logs through the JDK to the server's log. The library itself writes at most one line of a
 * kind per minute. Only the type of a failure is logged: its message may repeat a header that contains a secret.
 */
final class LibraryLog extends Handler {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LibraryLog.class);
    private static final String ANSWER = " Error message: "; // the text after it comes from the collector
    private static final int LONGEST = 300;

    private final Logger library =
            Logger.getLogger("io.opentelemetry"); // kept, because the JDK holds loggers only weakly

    static LibraryLog open() {
        var log = new LibraryLog();
        log.library.setUseParentHandlers(false);
        log.library.addHandler(log);
        return log;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            LOG.warn("Traces: {}{}", text(String.valueOf(line.getMessage())), kind(line.getThrown()));
        }
    }

    private static String text(String message) {
        var end = message.indexOf(ANSWER);
        return message.substring(0, Math.min(end < 0 ? message.length() : end, LONGEST));
    }

    /** The type of the connection's failure, if there is one; other exceptions wrap it. */
    private static String kind(@Nullable Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return " (" + cause.getClass().getSimpleName() + ")";
            }
        }
        return failure == null ? "" : " (" + failure.getClass().getSimpleName() + ")";
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        library.removeHandler(this);
    }
}
