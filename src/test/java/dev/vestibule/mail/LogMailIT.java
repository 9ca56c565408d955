package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Without an SMTP server. */
@ExtendWith(WithServer.class)
class LogMailIT {
    private final TestServer server;
    private final TestDatabase database;
    private final LoggedLines log = new LoggedLines(LogMailer.class);

    LogMailIT(TestServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void theCodeIsOnOneLineAndTheWholeMailInAFile() throws IOException {
        var project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", true))
                .expect(200);
        var email = TestServer.newEmail();
        project.signUp(email);

        Eventually.until("it is logged", () -> !linesTo(email).isEmpty());
        assertThat(linesTo(email)).hasSize(1);
        assertThat(linesTo(email).get(0))
                .contains("for development only", "\"Your code for A project\" to " + email + " with the code ");
        var parts = Pattern.compile("code ([0-9]{6}) \\((.*\\.eml)\\)$")
                .matcher(linesTo(email).get(0))
                .results()
                .findFirst()
                .orElseThrow();
        var file = Path.of(parts.group(2));
        assertThat(Files.readString(file)).contains("To: " + email, "Subject: ", "text/html", parts.group(1));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", parts.group(1)))
                .expect(200);
    }

    private List<String> linesTo(String email) {
        return log.all().stream()
                .map(event -> event.getFormattedMessage())
                .filter(line -> line.contains(" " + email + " "))
                .toList();
    }

    @Test
    void onlyTheLatestFilesAreKept(@TempDir Path data) throws IOException {
        try (var own = TestServer.start(
                database, Map.of("VESTIBULE_DATA_DIR", data.toString(), "VESTIBULE_MAIL_FILES_KEPT", "2"))) {
            var project = own.newProject();
            for (int i = 0; i < 4; i++) {
                var email = i + "@example.com";
                own.change(project, "require_email_verification = true");
                project.signUp(email);
                Eventually.until(email, () -> !linesTo(email).isEmpty());
            }
        }
        try (var kept = Files.list(data.resolve("mails"))) {
            assertThat(kept.map(LogMailIT::read))
                    .hasSize(2)
                    .anyMatch(mail -> mail.contains("To: 2@example.com"))
                    .anyMatch(mail -> mail.contains("To: 3@example.com"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void anUnwritableFolderStopsNoMail(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("data"), "not a folder");
        try (var own = TestServer.start(database, Map.of("VESTIBULE_DATA_DIR", file.toString()))) {
            var project = own.newProject();
            own.change(project, "require_email_verification = true");
            project.signUp("ann@example.com");
            Eventually.until("it is logged", () -> !linesTo("ann@example.com").isEmpty());
            assertThat(linesTo("ann@example.com").get(0)).contains("with the code", "could not be kept as a file");
        }
    }

    @Test
    void noMailIsLoggedIfNoCodeIsRequired() {
        var project = server.newProject();
        var email = project.signUp().text("user/email");

        assertThat(server.sql().count("SELECT count(*) FROM codes WHERE project_id = ?::uuid", project.id()))
                .isZero();
        assertThat(linesTo(email)).isEmpty();
    }
}
