package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar by itself, on its own database, with the memory of a small machine. It is one test, since each folder costs
 * the unpacking of PostgreSQL.
 */
@TakesLong("It starts the jar as it comes, with its PostgreSQL to unpack.")
class StartIT {
    private static final Duration AT_ONCE = Duration.ofSeconds(60); // on a busy machine

    private static final Pattern FROM_ELSEWHERE =
            Pattern.compile("From another machine.*\"setupCode\":\"[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\"");

    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"accessToken\":\"([^\"]+)\"");

    private final Path data;
    private final JarCommand command;

    StartIT(@TempDir Path folder) {
        data = folder.resolve("data");
        command = JarCommand.unconfigured(folder)
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .java("-Xmx128m");
    }

    @Test
    void aFirstStartSaysHowToCreateTheFirstAccountAndARestartHasAllData() throws Exception {
        TestProject project;
        String refreshToken;
        try (var server = command.start()) {
            Eventually.until(
                    "it tells how",
                    () -> FROM_ELSEWHERE.matcher(server.output()).find());
            var printed = server.output()
                    .lines()
                    .filter(line -> line.startsWith("  curl "))
                    .findFirst()
                    .orElseThrow();
            var curl = new ProcessBuilder("bash", "-c", printed.strip() + " -sS").start();
            var account = curl.inputReader().readLine();
            assertThat(account).contains("\"you@example.com\"");
            var token = ACCESS_TOKEN.matcher(account);
            assertThat(token.find()).isTrue();

            assertThat(server.output()).doesNotContain("does not load on this machine");
            assertThat(mode(data)).isEqualTo("rwx------");
            assertThat(mode(data.resolve("secret"))).isEqualTo("rw-------");
            assertThat(mode(data.resolve("postgres.password"))).isEqualTo("rw-------");

            aSecondServerOnTheSameFolderSaysSoAndEndsImmediately();
            project = TestProject.create(server.api(), token.group(1), Map.of("name", "A project"));
            refreshToken = project.signUp("ann@example.com").refreshToken();
        }
        try (var server = command.start()) {
            assertThat(server.output()).doesNotContain("Make the first account", "setupCode");
            var again = project.through(server.api());
            var refreshed = again.refresh(refreshToken).expect(200);
            again.me(refreshed.accessToken()).expect(200);
            again.signIn("ann@example.com");
            assertThat(server.output()).doesNotContain("OutOfMemoryError").doesNotContain("ERROR");
        }
    }

    private void aSecondServerOnTheSameFolderSaysSoAndEndsImmediately() {
        var second = command.launch();
        assertThat(second.awaitExit(AT_ONCE)).isEqualTo(1);
        assertThat(second.output()).contains("Another running server uses the data folder", "dataDir");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
