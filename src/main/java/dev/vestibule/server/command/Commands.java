package dev.vestibule.server.command;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.database.backup.BackupException;
import dev.vestibule.database.embedded.EmbeddedServerException;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.NearestName;
import dev.vestibule.json.Uuids;
import dev.vestibule.server.StartException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses the arguments of the jar, runs the command that they name, and reports errors in plain words. */
public final class Commands {
    static final String JAR = "java -jar vestibule.jar";
    static final int EXIT_FAILED = 1;
    static final int EXIT_WRONG = 2;
    private static final int WIDTH = 100;

    private Commands() {}

    /** The exit code, or empty if the arguments started the server and it is running. */
    public static OptionalInt run(CommandContext context, Consumer<Settings> start, String... arguments) {
        var jar = new VestibuleCommand(context, start);
        int code = commandLine(context, jar, arguments).execute(arguments);
        return jar.hasStarted() ? OptionalInt.empty() : OptionalInt.of(code);
    }

    /** The commands; a new one is one more line here. */
    private static List<Object> commands() {
        return List.of(
                new CreateAdmin(),
                new ResetDashboardPassword(),
                new WriteBackup(),
                new RestoreBackup(),
                new ExportProject(),
                new ImportProject(),
                new MoveProject());
    }

    private static CommandLine commandLine(CommandContext context, VestibuleCommand jar, String... arguments) {
        var line = new CommandLine(jar);
        commands().forEach(line::addSubcommand);
        line.getCommandSpec().version("Vestibule " + context.version());
        return line.registerConverter(UUID.class, Commands::uuid)
                .setUsageHelpWidth(WIDTH)
                .setOut(writer(context.terminal().out()))
                .setErr(writer(context.terminal().err()))
                .setExecutionExceptionHandler((failure, at, parsed) -> report(failure, at))
                .setParameterExceptionHandler((wrong, all) -> report(wrong, arguments));
    }

    private static UUID uuid(String text) {
        return Uuids.parse(text)
                .orElseThrow(() ->
                        new TypeConversionException("must be a UUID, such as 019bc134-7840-7a1f-8d52-47c3f09be681"));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static int report(Exception failure, CommandLine line) {
        if (failure instanceof InvalidConfigurationException invalid) {
            invalid.lines().forEach(line.getErr()::println);
            return EXIT_WRONG;
        }
        if (failure instanceof CommandException
                || failure instanceof StartException
                || failure instanceof EmbeddedServerException
                || failure instanceof BackupException
                || failure instanceof ApiException) {
            line.getErr().println(failure.getMessage());
        } else {
            LoggerFactory.getLogger(Commands.class).error("The command failed", failure);
        }
        return EXIT_FAILED;
    }

    private static int report(ParameterException wrong, String... arguments) {
        var line = wrong.getCommandLine();
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            unmatched
                    .getUnmatched()
                    .forEach(unknown -> line.getErr().println("unknown " + describe(unknown, arguments)));
            suggestion(unmatched).ifPresent(line.getErr()::println);
        } else {
            line.getErr().println(wrong.getMessage());
        }
        line.getErr().println("See " + line.getCommandSpec().qualifiedName() + " --help");
        return EXIT_WRONG;
    }

    private static Optional<String> suggestion(UnmatchedArgumentException unmatched) {
        var spec = unmatched.getCommandLine().getCommandSpec();
        var known = new ArrayList<>(spec.subcommands().keySet());
        known.addAll(spec.optionsMap().keySet());
        return NearestName.of(unmatched.getUnmatched().get(0), known).map(name -> "Did you mean " + name + "?");
    }

    /** Repeats an argument only if it looks like an option's name; it could be a password in the wrong place. */
    private static String describe(String argument, String... arguments) {
        int end = argument.indexOf('=');
        var name = end < 0 ? argument : argument.substring(0, end);
        return name.matches("--?[A-Za-z][A-Za-z.-]{0,40}")
                ? "option " + name
                : "argument number " + (List.of(arguments).indexOf(argument) + 1);
    }
}
