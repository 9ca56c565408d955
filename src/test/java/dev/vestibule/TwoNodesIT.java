package dev.vestibule;

import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WithServer.class)
class TwoNodesIT {
    private final JarCommand command;

    TwoNodesIT(TestDatabase database, @TempDir Path folder) {
        command = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", database.createDatabase())
                .with("VESTIBULE_SECRET", TestServer.SECRET);
    }

    @Test
    void twoNodesOnAnEmptyDatabaseBothStartAndServeTheSameUsers() {
        var starting = CompletableFuture.supplyAsync(command::start);
        try (var one = command.start();
                var other = starting.join()) {
            var project = one.firstProject();
            var signedUp = project.signUp("ann@example.com");

            var there = project.through(other.api());
            there.signIn("ann@example.com");
            there.me(signedUp.accessToken()).expect(200);
            there.refresh(signedUp.refreshToken()).expect(200);
            there.signOut(signedUp.accessToken()).expect(200);
            project.me(signedUp.accessToken()).expect(401);
        }
    }
}
