package dev.vestibule.server.command;

import dev.vestibule.App;
import dev.vestibule.database.Migrations;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Creates a dashboard account, whatever {@code dashboard.registration} says. */
@Command(
        name = "create-admin",
        description = {
            "Creates an account for the dashboard, whatever dashboard.registration says.",
            "Asks for the password, or reads it from the first line of standard input; it is never an argument, which"
                    + " others could see in the process list."
        })
final class CreateAdmin implements Callable<Integer> {
    @ParentCommand
    private VestibuleCommand jar;

    @Parameters(paramLabel = "EMAIL", description = "What the account signs in with.")
    private String email;

    @Override
    public Integer call() {
        var settings = jar.settings();
        App.masterKeys(settings); // created before the data that it seals, as on a start
        try (var database = ServerDatabase.openOrCreate(settings)) {
            if (database.schema() == Migrations.State.EMPTY) {
                database.migrate();
            }
            database.requireCurrentSchema();
            try (var server = CommandApp.open(settings, database, jar.clock())) {
                var password = jar.terminal().readNewPassword();
                var account = server.run((app, at) -> app.dashboardAccounts(at).create(email, password))
                        .orElseThrow(() -> new CommandException("There is a dashboard account with this email in "
                                + database.place() + "; reset-dashboard-password gives it a new password."));
                jar.terminal()
                        .out()
                        .println("Made the dashboard account " + account.email() + " (" + account.id() + ") in "
                                + database.place() + ".");
            }
        }
        return ExitCode.OK;
    }
}
