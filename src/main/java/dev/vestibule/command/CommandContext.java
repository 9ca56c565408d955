package dev.vestibule.command;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** What a command finds around it: the environment variables, the folder that it runs in, the time and the terminal. */
public record CommandContext(
        Map<String, String> environment, Path workingDirectory, Clock clock, Terminal terminal, String version) {}
