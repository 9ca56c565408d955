package dev.vestibule.server.command;

import dev.vestibule.App;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Connection;
import dev.vestibule.database.backup.BackupFile;
import dev.vestibule.database.backup.Login;
import dev.vestibule.database.backup.Restore;
import dev.vestibule.database.backup.SecretCopy;
import dev.vestibule.database.embedded.EmbeddedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Fills the empty database of a server that has not started yet. */
@Command(
        name = "restore",
        description = {
            "Restores a backup into the database of a server that has not started yet: into the empty database that"
                    + " database.url names, or else into dataDir, which must not contain a database.",
            "The backup and the master secret are checked before anything is written, and the backup is restored"
                    + " completely or not at all. For dataDir, the master secret is read from FILE.secret unless the"
                    + " setting secret gives it; with database.url, set the setting secret to the content of"
                    + " FILE.secret."
        })
final class RestoreBackup implements Callable<Integer> {
    @ParentCommand
    private VestibuleCommand jar;

    @Parameters(paramLabel = "FILE", description = "The file that the command backup has written.")
    private Path file;

    @Override
    public Integer call() {
        var settings = jar.settings();
        var out = jar.terminal().out();
        try (var backup = BackupFile.open(file, out::println)) {
            var url = settings.database().url();
            if (url.isPresent()) {
                var connection = Connection.to(url.get(), settings.database());
                checkSecretFits(backup, App.masterKeys(settings));
                Restore.load(backup, Login.of(connection), out::println);
                out.println("The database at " + connection.migrated() + " is ready: start the server on it.");
            } else {
                createEmbedded(backup, settings);
                out.println("The database in "
                        + settings.dataDir().toAbsolutePath().normalize() + " is ready: start the server on it.");
            }
        }
        return ExitCode.OK;
    }

    private void createEmbedded(BackupFile backup, Settings settings) {
        if (!EmbeddedServer.isInJar()) {
            throw new InvalidConfigurationException(
                    List.of("database.url must be set: this jar has no PostgreSQL of its own (vestibule.jar has one)"));
        }
        Restore.check(backup.manifest());
        checkSecretIsThere(settings);
        checkSecretFits(
                backup,
                App.masterKeys(
                        settings,
                        Files.exists(SecretCopy.pathFor(file)) ? SecretCopy.pathFor(file) : ownSecret(settings)));
        EmbeddedServer.create(settings.dataDir(), address -> {
            Restore.load(backup, Login.of(address), jar.terminal().out()::println);
            // Before the database has its final name: a server without the secret would generate another one.
            copySecret(settings);
        });
    }

    private void checkSecretIsThere(Settings settings) {
        if (settings.secret().isEmpty()
                && !Files.exists(SecretCopy.pathFor(file))
                && !Files.exists(ownSecret(settings))) {
            throw new CommandException(
                    SecretCopy.pathFor(file) + " is missing, and nothing can be read without the master"
                            + " secret: put it there, or give it as the setting secret.");
        }
    }

    /** Checks what is sealed, as a start does. */
    private static void checkSecretFits(BackupFile backup, MasterKeys given) {
        try {
            for (var sealed : SealedColumns.of(given)) {
                backup.prefixes(sealed.table(), sealed.column(), Sealer.PREFIX_BYTES)
                        .forEach(sealed.sealer()::checkIsKnown);
            }
        } catch (UnknownMasterSecretException unknown) {
            throw new CommandException("The master secret does not fit the backup: " + unknown.getMessage(), unknown);
        }
    }

    private void copySecret(Settings settings) {
        if (settings.secret().isEmpty() && Files.exists(SecretCopy.pathFor(file))) {
            SecretCopy.write(SecretCopy.pathFor(file), ownSecret(settings));
        }
    }

    private static Path ownSecret(Settings settings) {
        return settings.dataDir().resolve("secret");
    }
}
