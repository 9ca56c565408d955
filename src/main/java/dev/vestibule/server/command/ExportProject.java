package dev.vestibule.server.command;

import dev.vestibule.App;
import dev.vestibule.config.Settings;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.transfer.ProjectExport;
import dev.vestibule.project.transfer.TransferException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Writes a whole project to a file, from which another server imports it. */
@Command(
        name = "export",
        description = {
            "Writes a whole project to a file, for import by another server: settings, branding, API keys, signing keys,"
                    + " providers, webhooks, users with their password hashes, identities and sessions.",
            "Members, invitations, unsent mails, the audit log and the log of webhook deliveries are not exported."
                    + " Keep the file as secret as the passwords themselves; only its owner can read it.",
            "To move, stop the application first, or what happens after the export is lost."
        })
final class ExportProject implements Callable<Integer> {
    @ParentCommand
    private VestibuleCommand jar;

    @Option(names = "--project", paramLabel = "ID", required = true, description = "The project's id.")
    @SuppressWarnings("NullAway.Init") // it is required
    private UUID project;

    @Parameters(paramLabel = "FILE", description = "The file to write, which must not exist yet.")
    private Path file;

    @Override
    public Integer call() throws SQLException, IOException {
        var settings = jar.settings();
        try (var home = ServerDatabase.open(settings)) {
            home.requireCurrentSchema();
            var database = holder(home, settings);
            database.requireCurrentSchema();
            try (var connection = database.connect()) {
                var written = ProjectExport.write(connection, App.masterKeys(settings), new ProjectId(project), file);
                jar.terminal().out().println("Wrote " + written + " to " + file + ".");
            } catch (TransferException refused) {
                throw new CommandException(String.valueOf(refused.getMessage()), refused);
            }
        }
        return ExitCode.OK;
    }

    private ServerDatabase holder(ServerDatabase home, Settings settings) throws SQLException {
        try (var connection = home.connect()) {
            var shard = ProjectExport.place(connection, new ProjectId(project));
            return settings.database().shards().stream()
                    .filter(address -> address.name().equals(shard.name()))
                    .findAny()
                    .map(address -> ServerDatabase.of(address, settings))
                    .orElse(home);
        }
    }
}
