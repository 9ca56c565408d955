package dev.vestibule.server.command;

import dev.vestibule.config.Secret;
import dev.vestibule.crypto.RandomSecrets;
import java.util.Base64;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Gives a dashboard account a new password, for an owner who cannot receive mail. */
@Command(
        name = "reset-dashboard-password",
        description = {
            "Gives a dashboard account a new password, ends its sessions and lifts its lock after failed sign ins.",
            "Asks for the password, reads it from the first line of standard input, or generates it."
        })
final class ResetDashboardPassword implements Callable<Integer> {
    private static final int GENERATED_BYTES = 15; // 20 characters of base64url, 120 bits

    @ParentCommand
    private VestibuleCommand jar;

    @Parameters(paramLabel = "EMAIL", description = "The email of the dashboard account.")
    private String email;

    @Option(names = "--generate", description = "Generates a password and prints it.")
    private boolean isGenerated;

    @Override
    public Integer call() {
        var settings = jar.settings();
        try (var database = ServerDatabase.open(settings)) {
            database.requireCurrentSchema();
            try (var server = CommandApp.open(settings, database, jar.clock())) {
                var password = isGenerated ? generate() : jar.terminal().readNewPassword();
                var account = server.run((app, at) -> app.dashboardAccounts(at).resetPassword(email, password))
                        .orElseThrow(() -> new CommandException("There is no dashboard account with this email in "
                                + database.place() + "; create-admin makes one."));
                var out = jar.terminal().out();
                out.println("The dashboard account " + account.email() + " in " + database.place()
                        + " has a new password. Its sessions have ended.");
                if (account.isBanned()) {
                    out.println("It is banned and cannot sign in.");
                }
                if (isGenerated) {
                    out.println("Password: " + password.reveal());
                }
            }
        }
        return ExitCode.OK;
    }

    private static Secret generate() {
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(GENERATED_BYTES)));
    }
}
