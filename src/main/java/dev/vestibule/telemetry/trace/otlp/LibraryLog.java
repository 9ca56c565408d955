package dev.vestibule.telemetry.trace.otlp;

import java.io.IOException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Takes what OpenTelemetry logs, by way of the JDK, to the log of the server. The library itself writes no more than a line
 * a minute of the same kind. Of a failure only the kind is told: a message may repeat a header that holds a secret.
 */
final class LibraryLog extends Handler {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LibraryLog.class);
    private static final String ANSWER = " Error message: "; // what follows is the collector's
    private static final int LONGEST = 300;

    private final Logger library =
            Logger.getLogger("io.opentelemetry"); // kept, because the JDK forgets those that nobody keeps

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

    /** That of the connection, if it is one; others wrap it. */
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
