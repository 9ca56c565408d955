package dev.vestibule.server.command;

import dev.vestibule.config.Secret;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a command reads and writes. Results go to standard output; errors and log lines go to standard error. */
public record Terminal(InputStream in, PrintStream out, PrintStream err) {
    /** The terminal of this process. */
    public static Terminal ofProcess() {
        return new Terminal(System.in, System.out, System.err);
    }

    /**
     * Reads a new password: asks for it twice at a terminal, without showing it, or else reads the first line of the
     * input.
     */
    Secret readNewPassword() {
        return console().map(this::ask).orElseGet(this::readLine);
    }

    private Optional<Console> console() {
        return Optional.ofNullable(in == System.in ? System.console() : null);
    }

    private Secret ask(Console console) {
        var first = typed(console.readPassword("New password: "));
        var second = typed(console.readPassword("Again: "));
        if (!first.equals(second)) {
            throw new CommandException("The two passwords differ; nothing was changed.");
        }
        return first;
    }

    private static Secret typed(char @Nullable [] password) {
        if (password == null) {
            throw noPassword();
        }
        try {
            return new Secret(new String(password));
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    private Secret readLine() {
        try {
            var line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                throw noPassword();
            }
            return new Secret(line);
        } catch (IOException failure) {
            throw new UncheckedIOException("the password cannot be read", failure);
        }
    }

    private static CommandException noPassword() {
        return new CommandException("There is no password: type it at the prompt, or give it as the first line of the"
                + " standard input.");
    }
}
