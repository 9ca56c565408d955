package dev.vestibule.server.command;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** The environment of a command: environment variables, working directory, clock, terminal and version. */
public record CommandContext(
        Map<String, String> environment, Path workingDirectory, Clock clock, Terminal terminal, String version) {}
