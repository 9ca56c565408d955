package dev.vestibule.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The parsed command line arguments. */
public record CommandLine(Optional<Path> configFile, boolean help, boolean version) {
    public static final String USAGE = "[--config FILE] [--help] [--version]";

    public static CommandLine parse(String... arguments) {
        Optional<Path> configFile = Optional.empty();
        boolean help = false;
        boolean version = false;
        List<String> problems = new ArrayList<>();
        Iterator<String> rest = Arrays.asList(arguments).iterator();
        for (int position = 1; rest.hasNext(); position++) {
            String argument = rest.next();
            switch (argument) {
                case "--help" -> help = true;
                case "--version" -> version = true;
                case "--config" -> {
                    if (configFile.isPresent()) {
                        problems.add("--config is given twice");
                    }
                    if (rest.hasNext()) {
                        configFile = Optional.of(Path.of(rest.next()));
                        position++;
                    } else {
                        problems.add("--config needs a file after it");
                    }
                }
                default ->
                    problems.add("unknown argument %s; known: %s".formatted(describe(argument, position), USAGE));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return new CommandLine(configFile, help, version);
    }

    /** Repeats an argument only if it looks like an option's name; it could be a password in the wrong place. */
    private static String describe(String argument, int position) {
        int end = argument.indexOf('=');
        String name = end < 0 ? argument : argument.substring(0, end);
        return name.matches("--?[A-Za-z][A-Za-z.-]{0,40}") ? name : "number " + position;
    }
}
