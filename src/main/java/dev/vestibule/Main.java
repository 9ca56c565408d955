package dev.vestibule;

import dev.vestibule.config.CommandLine;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.database.embedded.EmbeddedServerException;
import dev.vestibule.telemetry.log.Logging;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import org.slf4j.LoggerFactory;

/** The command line: reads the configuration, starts the server, and stops it on SIGTERM. */
public final class Main {
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_MISCONFIGURED = 2;
    private static final String EVENTS_OF_BUFFERS = "io.netty.jfr.enabled";

    private Main() {}

    /** Exit codes: 2 for a wrong configuration, 1 for a failed start, 3 when out of memory, 143 after SIGTERM. */
    public static void main(String[] arguments) {
        try {
            var commandLine = CommandLine.parse(arguments);
            if (commandLine.help()) {
                System.out.println("java -jar vestibule.jar " + CommandLine.USAGE);
            } else if (commandLine.version()) {
                System.out.println("Vestibule " + version());
            } else {
                OutOfMemoryWatch.install();
                doWithoutEventsOfBuffers();
                run(Settings.load(commandLine, System.getenv(), Path.of("")));
            }
        } catch (InvalidConfigurationException invalid) {
            invalid.lines().forEach(System.err::println);
            System.exit(EXIT_MISCONFIGURED);
        }
    }

    private static void run(Settings settings) {
        try {
            Logging.apply(settings.log());
            // The API shows times in milliseconds, and PostgreSQL keeps those exactly.
            var server = new Server(settings, Clock.tickMillis(ZoneOffset.UTC));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "shutdown"));
            server.start();
            Greeting.print(settings, server);
        } catch (InvalidConfigurationException invalid) {
            throw invalid;
        } catch (StartException | EmbeddedServerException failure) {
            System.err.println("Vestibule could not start. " + failure.getMessage());
            System.exit(EXIT_FAILED);
        } catch (Exception failure) {
            LoggerFactory.getLogger(Main.class).error("Vestibule could not start", failure);
            System.exit(EXIT_FAILED);
        }
    }

    private static void stop(Server server) {
        server.close();
        Logging.close();
    }

    /** Netty tells JFR of each buffer, for which 150 classes more are loaded; the command line can ask for it. */
    private static void doWithoutEventsOfBuffers() {
        if (System.getProperty(EVENTS_OF_BUFFERS) == null) {
            System.setProperty(EVENTS_OF_BUFFERS, "false");
        }
    }

    private static String version() {
        var version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
