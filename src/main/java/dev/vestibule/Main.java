package dev.vestibule;

import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.LogSettings;
import dev.vestibule.config.Release;
import dev.vestibule.config.Settings;
import dev.vestibule.database.embedded.EmbeddedServerException;
import dev.vestibule.server.StartException;
import dev.vestibule.server.command.CommandContext;
import dev.vestibule.server.command.Commands;
import dev.vestibule.server.command.Terminal;
import dev.vestibule.telemetry.log.Logging;
import dev.vestibule.telemetry.log.OutOfMemoryWatch;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** Reads the configuration, starts the server, and stops it on SIGTERM; or runs a command. */
public final class Main {
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_MISCONFIGURED = 2;
    private static final Path WORKING_DIRECTORY = Path.of("");
    private static final String BUFFER_EVENTS = "io.netty.jfr.enabled";

    private Main() {}

    /** Exit codes: 2 for wrong arguments or settings, 1 for a failure, 3 when out of memory, 143 after SIGTERM. */
    public static void main(String[] arguments) {
        OutOfMemoryWatch.install();
        disableBufferEvents();
        if (isPlainStart(arguments)) {
            start(arguments.length == 0 ? Optional.empty() : Optional.of(Path.of(arguments[1])));
        } else {
            Logging.forCommand(); // until a server starts after all
            Commands.run(context(), Main::run, arguments).ifPresent(System::exit);
        }
    }

    /** Avoids loading the full argument parser, which takes a quarter of a second. */
    private static boolean isPlainStart(String... arguments) {
        return arguments.length == 0
                || (arguments.length == 2 && arguments[0].equals("--config") && !arguments[1].startsWith("-"));
    }

    private static void start(Optional<Path> configFile) {
        try {
            run(Settings.load(configFile, System.getenv(), WORKING_DIRECTORY));
        } catch (InvalidConfigurationException invalid) {
            invalid.lines().forEach(System.err::println);
            System.exit(EXIT_MISCONFIGURED);
        }
    }

    private static CommandContext context() {
        return new CommandContext(System.getenv(), WORKING_DIRECTORY, clock(), Terminal.ofProcess(), Release.version());
    }

    /** The API shows times in milliseconds, and PostgreSQL stores those exactly. */
    private static Clock clock() {
        return Clock.tickMillis(ZoneOffset.UTC);
    }

    private static void run(Settings settings) {
        try {
            Logging.apply(settings.log());
            var server = new Server(settings, clock());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "shutdown"));
            server.start();
            printBanner(settings, server);
        } catch (InvalidConfigurationException invalid) {
            throw invalid;
        } catch (StartException | EmbeddedServerException failure) {
            System.err.println("Vestibule could not start. " + failure.getMessage());
            System.exit(EXIT_FAILED);
        } catch (Exception failure) {
            LoggerFactory.getLogger(Server.class).error("Vestibule could not start", failure);
            System.exit(EXIT_FAILED);
        }
    }

    /** Says that the server has started: in plain text, or in log lines if a program reads the output. */
    private static void printBanner(Settings settings, Server server) {
        if (settings.log().format() == LogSettings.Format.JSON) {
            banner(settings, server).forEach(LoggerFactory.getLogger(Server.class)::info);
        } else {
            banner(settings, server).forEach(System.out::println);
        }
    }

    private static List<String> banner(Settings settings, Server server) {
        var lines = new ArrayList<String>();
        var api = "http://localhost:" + server.port();
        lines.add("Vestibule listens on " + settings.http().host() + ":" + server.port() + "  (" + api + ")");
        lines.add("Health and metrics: http://localhost:" + server.managementPort() + "/health/ready, /metrics");
        lines.add("Console: " + api + "/console/  documentation: " + api + "/docs/");
        if (settings.dashboard().registration() != Registration.CLOSED && !server.hasDashboardUser()) {
            lines.add("Make the first account, in the console or with");
            lines.add("  curl " + api + "/v1/dashboard/auth/register -H 'content-type: application/json'"
                    + " -d '{\"email\":\"you@example.com\",\"password\":\"a long passphrase\"}'");
            if (settings.dashboard().registration() == Registration.FIRST) {
                lines.add("From another machine or container, add \"setupCode\":\"" + server.setupCode() + "\"");
            }
        }
        return lines;
    }

    private static void stop(Server server) {
        server.close();
        Logging.close();
    }

    /** Netty would report each buffer to JFR, which loads 150 more classes; the command line can switch it on. */
    private static void disableBufferEvents() {
        if (System.getProperty(BUFFER_EVENTS) == null) {
            System.setProperty(BUFFER_EVENTS, "false");
        }
    }
}
