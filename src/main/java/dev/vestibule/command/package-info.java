/**
 * What an operator types beside starting the server: one class a command, on picocli.
 *
 * <p>A plain start ({@code java -jar vestibule.jar}, and with {@code --config FILE}) does not come here: to load picocli
 * takes 250 ms.
 *
 * <p><b>A new command</b> is a class with {@code @Command} that implements {@code Callable<Integer>}, like {@link
 * dev.vestibule.command.CreateAdmin}, and a line in {@link dev.vestibule.command.Commands}. Its {@code @ParentCommand}
 * gives it the settings, the terminal and the clock. {@link dev.vestibule.command.OwnDatabase} opens the server's own
 * database, given or embedded, whether its server runs or not; a command that reads and writes rows in bulk uses JDBC
 * from there, and one that does what requests do runs the same code by {@link dev.vestibule.command.OpenApp}. What it
 * cannot do it throws as a {@link dev.vestibule.command.CommandException}, whose message is all that is shown (exit
 * code 1); wrong arguments and settings are exit code 2. It prints its result to the terminal's output; logs from level
 * WARN go to the errors.
 *
 * <p>No command takes a password as an argument, and an argument that nobody asked for is not repeated in a message: it
 * could be one.
 */
@NullMarked
package dev.vestibule.command;

import org.jspecify.annotations.NullMarked;
