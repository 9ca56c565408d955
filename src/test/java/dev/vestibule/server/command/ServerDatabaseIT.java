package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on the embedded database, as an operator types them. */
class ServerDatabaseIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Map<String, String> ACCOUNT =
            Map.of("email", "ada@example.com", "password", "a dashboard password");

    private final Path folder;
    private final JarCommand jar;

    ServerDatabaseIT(@TempDir Path folder) {
        this.folder = folder;
        jar = JarCommand.in(folder);
    }

    private String run(int code, String input, String... arguments) {
        var command = jar.arguments(arguments).launch();
        command.type(input);
        assertThat(command.awaitExit(LIMIT)).as(command.output()).isEqualTo(code);
        return command.output();
    }

    @Test
    void anAccountCanBeCreatedBeforeTheFirstStartAndWhileTheServerRuns() {
        assertThat(run(0, "a dashboard password\n", "create-admin", "ada@example.com"))
                .contains("Made the dashboard account ada@example.com");
        try (var server = jar.start()) {
            server.api().post("/v1/dashboard/auth/login").json(ACCOUNT).expect(200);

            var reset = run(0, "", "reset-dashboard-password", "ada@example.com", "--generate");
            var password = List.of(reset.strip().split(" ")).get(reset.strip().split(" ").length - 1);
            server.api().post("/v1/dashboard/auth/login").json(ACCOUNT).expect(401);
            server.api()
                    .post("/v1/dashboard/auth/login")
                    .json(Map.of("email", "ada@example.com", "password", password))
                    .expect(200);
            assertThat(server.isAlive()).isTrue();
        }
        // and the server can start: the command has left no PostgreSQL behind
        run(0, "a dashboard password\n", "reset-dashboard-password", "ada@example.com");
        try (var server = jar.start()) {
            server.api().post("/v1/dashboard/auth/login").json(ACCOUNT).expect(200);
            assertThat(server.output()).doesNotContain("an earlier run has left");
        }
    }

    @Test
    void aResetInAFolderWithoutADatabaseSaysSoAndCreatesNothing() throws Exception {
        var empty = Files.createDirectory(folder.resolve("empty"));
        var command = JarCommand.unconfigured(empty)
                .arguments("reset-dashboard-password", "ada@example.com", "--generate")
                .launch();
        assertThat(command.awaitExit(LIMIT)).as(command.output()).isEqualTo(1);
        assertThat(command.output())
                .contains("There is no database in " + empty.toRealPath().resolve("data"), "dataDir");
        try (var files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void theSlimJarNeedsAConfiguredDatabase() {
        var command = jar.slim().arguments("create-admin", "ada@example.com").launch();
        command.type("a dashboard password\n");
        assertThat(command.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(command.output()).startsWith("database.url must be set").doesNotContain("Exception");
    }
}
