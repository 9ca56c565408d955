/**
 * The commands that an operator can run in addition to starting the server: one class per command, based on picocli.
 *
 * <p>A plain start ({@code java -jar vestibule.jar}, with or without {@code --config FILE}) does not use this package:
 * loading picocli takes 250 ms.
 *
 * <p><b>A new command</b> is a class with {@code @Command} that implements {@code Callable<Integer>}, like
 * {@link dev.vestibule.server.command.CreateAdmin}, and a line in {@link dev.vestibule.server.command.Commands}. Its
 * {@code @ParentCommand} gives it the settings, the terminal and the clock.
 * {@link dev.vestibule.server.command.ServerDatabase} opens the server's database, configured or embedded, whether or
 * not the server is running. A command that reads and writes rows in bulk uses JDBC on it; a command that does what
 * requests do runs the same code through {@link dev.vestibule.server.command.CommandApp}. If a command fails, it throws
 * a {@link dev.vestibule.server.command.CommandException}, and only its message is shown (exit code 1); wrong arguments
 * and settings are exit code 2. A command prints its result to standard output; log lines from level WARN go to
 * standard error.
 *
 * <p>No command takes a password as an argument, and messages never repeat an unexpected argument: it could be a
 * password.
 */
@NullMarked
package dev.vestibule.server.command;

import org.jspecify.annotations.NullMarked;
