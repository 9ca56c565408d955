package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.vestibule.config.LogSettings;
import dev.vestibule.http.RequestRecord;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs to standard output from level INFO until the settings are read; Logback finds this class through the service
 * loader. There is no logback.xml, because reading one took a sixth of the startup time. Operators can set their own
 * with {@code -Dlogback.configurationFile}; then the log settings have no effect.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String CONSOLE = "console";
    private static final String QUEUE = "queue";

    @Override
    public ExecutionStatus configure(LoggerContext logs) {
        logs.setMDCAdapter(new RequestContext());
        logs.getStatusManager().clear(); // or Logback prints a warning about the foreign adapter
        if (hasOwnFile()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        var root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(console(logs, new TextLayout()));
        logs.getLogger("org.flywaydb").setLevel(Level.WARN);
        // Vert.x deliberately registers the gauges of several event loops under one name and adds up their values;
        // Micrometer warns about it anyway.
        logs.getLogger("io.micrometer.core.instrument.MeterRegistry").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /**
     * While a command runs, standard output is for its result: only warnings and errors are logged, to standard error.
     */
    public static void forCommand() {
        if (!hasOwnFile()
                && LoggerFactory.getILoggerFactory() instanceof LoggerContext logs
                && logs.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE) instanceof ConsoleAppender<?> console) {
            console.stop();
            console.setTarget("System.err");
            console.start();
            logs.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        }
    }

    /** Logs as the settings say, for the rest of the process. */
    public static void apply(LogSettings settings) {
        if (hasOwnFile() || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext logs)) {
            return;
        }
        var root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        var queue = new BoundedAppender(settings.queue());
        queue.setContext(logs);
        queue.setName(QUEUE);
        queue.addAppender(
                console(logs, settings.format() == LogSettings.Format.JSON ? new JsonLayout() : new TextLayout()));
        queue.start();
        root.addAppender(queue);
        settings.level()
                .forEach(level -> logs.getLogger(level.logger().isEmpty() ? Logger.ROOT_LOGGER_NAME : level.logger())
                        .setLevel(Level.toLevel(level.level().name())));
    }

    /** How many lines were dropped because too many waited to be written. */
    public static long dropped() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext logs
                ? Optional.ofNullable(logs.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(QUEUE))
                        .map(queue -> ((BoundedAppender) queue).dropped())
                        .orElse(0L)
                : 0;
    }

    /** Writes the waiting lines and stops logging. */
    public static void close() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
            logs.stop();
        }
    }

    private static boolean hasOwnFile() {
        return System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null;
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext logs, Layout<ILoggingEvent> layout) {
        layout.setContext(logs);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(logs);
        encoder.setLayout(layout);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(logs);
        console.setName(CONSOLE);
        console.setEncoder(encoder);
        console.start();
        return console;
    }

    /**
     * The mapped diagnostic context of log events: the id of the request that the calling thread is handling. It is
     * looked up when a line is logged; the usual context, which belongs to a thread, would be another request's after
     * each asynchronous step.
     */
    @SuppressWarnings("unchecked") // a method of LogbackMDCAdapter returns a raw map
    static final class RequestContext extends LogbackMDCAdapter {
        private static final String REQUEST_ID = "requestId";

        @Override
        public Map<String, String> getPropertyMap() {
            var record = RequestRecord.current();
            return record == null ? Map.of() : Map.of(REQUEST_ID, record.id());
        }
    }
}
