package dev.vestibule.server.command;

import dev.vestibule.config.Settings;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.transfer.ProjectMove;
import dev.vestibule.project.transfer.TransferException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Moves a project to another one of the server's databases while the server runs. */
@Command(
        name = "move-project",
        description = {
            "Moves a project to another one of the databases that database.shards names, or home, while the server"
                    + " runs.",
            "Requests of the project get 503 with Retry-After while its rows are copied, and some seconds before that;"
                    + " clients try again, and nobody is signed out. If this command is interrupted, the project goes on"
                    + " within a minute, where it was or where it should be: repeat the command."
        })
final class MoveProject implements Callable<Integer> {
    @ParentCommand
    private VestibuleCommand jar;

    @Option(names = "--project", paramLabel = "ID", required = true, description = "The project's id.")
    @SuppressWarnings("NullAway.Init") // it is required
    private UUID project;

    @Option(
            names = "--to",
            paramLabel = "NAME",
            required = true,
            description = "The database to move it to: home, or a name of database.shards.")
    @SuppressWarnings("NullAway.Init") // it is required
    private String target;

    @Override
    public Integer call() throws SQLException, IOException {
        var settings = jar.settings();
        try (var home = ServerDatabase.open(settings)) {
            var databases = databases(home, settings);
            // A statement may wait until others have been asked together, and then for a connection.
            var quiet = ChangeFeed.LONGEST_SILENCE.plus(
                    settings.database().poolWait().multipliedBy(2));
            new ProjectMove(databases, new ProjectId(project), quiet, this::tell).to(new Shard(target));
            jar.terminal().out().println("The project is in the database " + target + ".");
        } catch (TransferException refused) {
            throw new CommandException(String.valueOf(refused.getMessage()), refused);
        }
        return ExitCode.OK;
    }

    /** Only those that this move may change need the schema of this jar. */
    private Map<Shard, ProjectMove.Opener> databases(ServerDatabase home, Settings settings) {
        Map<Shard, ProjectMove.Opener> databases = new HashMap<>();
        home.requireCurrentSchema();
        databases.put(Shard.HOME, home::connect);
        for (var address : settings.database().shards()) {
            var other = ServerDatabase.of(address, settings);
            if (address.name().equals(target)) {
                other.requireCurrentSchema();
            }
            databases.put(new Shard(address.name()), other::connect);
        }
        return databases;
    }

    private void tell(ProjectMove.Step step) {
        var text = switch (step) {
            case HELD -> "Requests of the project get 503 from now on.";
            case QUIET -> "Nothing writes to it any more; copying.";
            case COPYING -> "";
            case COPIED -> "Everything is copied.";
            case SWITCHED -> "Requests of the project go to the other database.";
        };
        if (!text.isEmpty()) {
            jar.terminal().out().println(text);
        }
    }
}
