package dev.vestibule.server.command;

import dev.vestibule.App;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.transfer.ProjectImport;
import dev.vestibule.project.transfer.TransferException;
import dev.vestibule.user.UserFields;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Creates the project that another server has exported. */
@Command(
        name = "import",
        description = {
            "Creates the project that another server has exported, with the same ids and API keys. Its users stay"
                    + " signed in.",
            "The secrets in the file are sealed under the master secret of the server that it comes from: add that to"
                    + " previousSecrets here, for this command and for the server, and leave it there as long as"
                    + " refresh tokens and signing keys from before the move are in use. Both servers must run the"
                    + " same release."
        })
final class ImportProject implements Callable<Integer> {
    @ParentCommand
    private VestibuleCommand jar;

    @Option(
            names = "--owner",
            paramLabel = "EMAIL",
            required = true,
            description = "The dashboard account of this server that will own the project.")
    @SuppressWarnings("NullAway.Init") // it is required
    private String owner;

    @Parameters(paramLabel = "FILE", description = "The file that export has written.")
    private Path file;

    @Override
    public Integer call() throws SQLException, IOException {
        var settings = jar.settings();
        try (var database = ServerDatabase.open(settings)) {
            database.requireCurrentSchema();
            try (var connection = database.connect()) {
                var masterKeys = App.masterKeys(settings);
                var made = ProjectImport.read(
                        connection,
                        masterKeys,
                        SealedColumns.of(masterKeys),
                        file,
                        ownersEmail(),
                        jar.clock().instant());
                jar.terminal().out().println("Made " + made + " in " + database.place() + ".");
            } catch (TransferException refused) {
                throw new CommandException(String.valueOf(refused.getMessage()), refused);
            }
        }
        return ExitCode.OK;
    }

    private String ownersEmail() {
        try {
            return UserFields.email(owner);
        } catch (InvalidValueException invalid) {
            throw new CommandException("--owner " + invalid.getMessage(), invalid);
        }
    }
}
