package dev.vestibule.server.command;

import dev.vestibule.config.EffectiveSetting;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.server.CheckedConfiguration;
import dev.vestibule.telemetry.trace.otlp.Traces;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The jar itself: starts the server, unless an option or a command asks for something else. */
@Command(
        name = Commands.JAR,
        customSynopsis = Commands.JAR + " [COMMAND] [--config FILE]",
        description =
                "Starts the Vestibule server, or runs a command on its database, whether the server runs or" + " not.",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands (COMMAND --help tells more):%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it failed, or the server could not start; the message says why",
            "2:wrong arguments or settings, each named on a line",
            "3:the server ran out of memory",
            "143:the server stopped on SIGTERM, after finishing requests in flight"
        },
        footer = {
            "",
            "Settings come from the file that --config names, or else from config/vestibule.yaml if it exists, and"
                    + " from environment variables, which take precedence: http.port is VESTIBULE_HTTP_PORT. The file"
                    + " config/vestibule.yaml of the distribution lists them all.",
            "Traces go to the OpenTelemetry collector that OTEL_EXPORTER_OTLP_ENDPOINT names (http/protobuf), and"
                    + " nowhere without it; OpenTelemetry's other variables (OTEL_...) work too.",
            "Without database.url the server has its own PostgreSQL, with its data in dataDir (./data). Commands work on"
                    + " the same database with the same settings: run them in the folder that the server runs in."
        })
final class VestibuleCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "The settings file.")
    private @Nullable Path config;

    @Option(names = "--check-config", description = "Checks the settings as a start does, and touches no database.")
    private boolean checksConfig;

    @Option(
            names = "--print-config",
            description = "Prints each setting with its value, secrets masked, and where that comes from.")
    private boolean printsConfig;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean isHelp;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Shows the version.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean isVersion;

    private final CommandContext context;
    private final Consumer<Settings> start;
    private boolean hasStarted;

    VestibuleCommand(CommandContext context, Consumer<Settings> start) {
        this.context = context;
        this.start = start;
    }

    @Override
    public Integer call() {
        if (checksConfig || printsConfig) {
            if (printsConfig) {
                print(Settings.list(configFile(), context.environment(), context.workingDirectory()));
            }
            if (checksConfig) {
                check(settings());
            }
            return CommandLine.ExitCode.OK;
        }
        start.accept(settings());
        hasStarted = true;
        return CommandLine.ExitCode.OK;
    }

    /** Throws an exception that says what is wrong, if anything is. */
    private void check(Settings settings) {
        CheckedConfiguration.of(settings);
        if (settings.traces().isOn()) {
            Traces.open(settings.traces()).close();
        }
        terminal().out().println("ok");
    }

    private void print(List<EffectiveSetting> settings) {
        int width = settings.stream()
                .mapToInt(setting -> setting.name().length())
                .max()
                .orElse(0);
        settings.forEach(setting -> terminal().out().println(line(setting, width)));
    }

    private static String line(EffectiveSetting setting, int width) {
        var value = setting.value().isEmpty() ? "(not set)" : setting.value();
        var origin = setting.origin().isEmpty() ? "default" : setting.origin();
        return setting.name() + " ".repeat(width - setting.name().length()) + "  " + value + "  [" + origin + "]";
    }

    /** Whether the server is running now, so that the process must continue. */
    boolean hasStarted() {
        return hasStarted;
    }

    /** The settings as a start reads them; throws if one is wrong. */
    Settings settings() {
        return Settings.load(configFile(), context.environment(), context.workingDirectory());
    }

    Terminal terminal() {
        return context.terminal();
    }

    Clock clock() {
        return context.clock();
    }

    private Optional<Path> configFile() {
        if (config != null && config.toString().isEmpty()) {
            throw new InvalidConfigurationException(List.of("--config must name a file"));
        }
        return Optional.ofNullable(config);
    }
}
