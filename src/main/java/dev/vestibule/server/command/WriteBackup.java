package dev.vestibule.server.command;

import dev.vestibule.config.Settings;
import dev.vestibule.config.ShardAddress;
import dev.vestibule.database.Migrations;
import dev.vestibule.database.backup.Backup;
import dev.vestibule.database.backup.Login;
import dev.vestibule.database.backup.SecretCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Writes everything in the server's database to a file, and an embedded server's master secret to a second file next to
 * it.
 */
@Command(
        name = "backup",
        description = {
            "Writes everything in the database to a file, as of one moment; the server can keep running. Of several"
                    + " databases it writes home alone.",
            "The master secret is not in the file. If the server generated it, it is written to FILE.secret; if the"
                    + " setting secret gives it, keep that one. A backup can only be restored with it."
        })
final class WriteBackup implements Callable<Integer> {
    private static final double MEGABYTE = 1e6;

    @ParentCommand
    private VestibuleCommand jar;

    @Parameters(paramLabel = "FILE", description = "The file to write, which must not exist yet.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        var settings = jar.settings();
        var out = jar.terminal().out();
        Backup.checkIsFree(file);
        try (var database = ServerDatabase.open(settings)) {
            var secret = secretFile(settings);
            secret.ifPresent(from -> SecretCopy.write(from, SecretCopy.pathFor(file)));
            var manifest = Backup.write(Login.of(database.connection()), file, out::println);
            out.printf(
                    Locale.ROOT,
                    "Backed up %s, as it was at %s: %,d rows, %,.1f MB in %s%n",
                    database.place(),
                    manifest.time(),
                    manifest.rows(),
                    Files.size(file) / MEGABYTE,
                    file);
            var others = settings.database().shards().stream()
                    .map(ShardAddress::name)
                    .collect(Collectors.joining(", "));
            if (!others.isEmpty()) {
                out.println("The projects in other databases are not in it: back up each of these too: " + others);
            }
            out.println(
                    secret.isPresent()
                            ? "The master secret is in " + SecretCopy.pathFor(file)
                                    + ". Keep both; who has both can read everything."
                            : "The master secret is not in it: keep the setting secret (and previousSecrets) in another"
                                    + " place. Without it the backup cannot be used.");
            if (secret.isPresent()) {
                warnOfOtherSecrets(settings, database);
            }
        }
        return ExitCode.OK;
    }

    /** The server may run with a newer secret from its environment, which this command does not have. */
    private void warnOfOtherSecrets(Settings settings, ServerDatabase database) {
        if (database.schema() != Migrations.State.CURRENT) {
            return;
        }
        try {
            CommandApp.open(settings, database, jar.clock()).close();
        } catch (CommandException wrong) {
            jar.terminal().err().println("This secret alone is not enough for the backup. " + wrong.getMessage());
        }
    }

    /** The secret file of a server that generated its secret. */
    private static Optional<Path> secretFile(Settings settings) {
        return settings.secret().isPresent()
                ? Optional.empty()
                : Optional.of(settings.dataDir().resolve("secret")).filter(Files::exists);
    }
}
