package dev.vestibule.server.command;

import dev.vestibule.config.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Runs commands in this JVM: in a folder, with an environment and an input. */
final class CommandRun {
    /** What a command left: its exit code, none if it started the server, and what it printed. */
    record Result(OptionalInt code, String out, String err, List<Settings> started) {}

    private final Path folder;
    private final Map<String, String> environment;

    CommandRun(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    CommandRun with(String variable, String value) {
        var more = new HashMap<>(environment);
        more.put(variable, value);
        return new CommandRun(folder, more);
    }

    Result run(String... arguments) {
        return runWith("", arguments);
    }

    Result runWith(String input, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var started = new ArrayList<Settings>();
        var terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        var context = new CommandContext(environment, folder, Clock.tickMillis(ZoneOffset.UTC), terminal, "1.2.3");
        var code = Commands.run(context, started::add, arguments);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), started);
    }
}
