package dev.vestibule;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Logs to standard output from level INFO; Logback finds this class by the services of the jar. It is no logback.xml
 * because to read one took a sixth of a start. An operator's own is read where {@code -Dlogback.configurationFile}
 * names it.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext logs) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        var layout = new LogLayout();
        layout.setContext(logs);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(logs);
        encoder.setLayout(layout);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(logs);
        console.setName("console");
        console.setEncoder(encoder);
        console.start();

        var root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(console);
        logs.getLogger("org.flywaydb").setLevel(Level.WARN);
        // Vert.x registers the gauges of several event loops under one name on purpose, adding up their values;
        // Micrometer warns of it all the same.
        logs.getLogger("io.micrometer.core.instrument.MeterRegistry").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
