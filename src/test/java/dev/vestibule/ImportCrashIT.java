package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.LineStream;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.TestProject;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import that a kill interrupted is completed by another run, without duplicate users. */
class ImportCrashIT {
    private static final String PATH = "/v1/dashboard/users/import";
    private static final int USERS = 5000;
    private static final int SENT_BEFORE_THE_KILL = 2500;
    private static final int ANSWERS_BEFORE_THE_KILL = 700;

    private final PostgresProcesses postgres;
    private final JarCommand command;
    private JarServer server;

    ImportCrashIT(@TempDir Path folder) {
        postgres = new PostgresProcesses(folder.resolve("data"));
        command = JarCommand.withDatabaseIn(folder);
        server = command.start();
    }

    @AfterEach
    void leaveNothingRunning() {
        server.kill();
        postgres.kill();
    }

    @Test
    void aKilledImportIsFinishedByAnotherRun() {
        var project = server.firstProject();
        var file = lines(USERS);

        var answered = importUntilKilled(project, lines(SENT_BEFORE_THE_KILL));
        server = command.start();
        var again = project.through(server.api());
        var rest = run(again, "?skip=" + answered, file);
        var whole = run(again, "", file);

        assertThat(answered).isBetween(ANSWERS_BEFORE_THE_KILL, SENT_BEFORE_THE_KILL);
        assertThat(rest.path("failed").asInt()).isZero();
        assertThat(rest.path("created").asInt() + rest.path("exists").asInt()).isEqualTo(USERS - answered);
        assertThat(whole.path("exists").asInt()).isEqualTo(USERS);
        assertThat(again.manage("GET", "/v1/dashboard/users?limit=1")
                        .expect(200)
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(USERS);
    }

    private static String lines(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"email\":\"user%d@example.com\"}\n".formatted(i))
                .collect(Collectors.joining());
    }

    /** The number of the last line that was answered. */
    private int importUntilKilled(TestProject project, String part) {
        try (var stream = LineStream.post(project.api().base(), PATH, "x-api-key: " + project.secretKey())) {
            stream.send(part);
            var last = 0;
            for (var line = stream.next(); line != null; line = stream.next()) {
                assertThat(line.path("status").asText()).isEqualTo("created");
                last = line.path("line").asInt();
                if (last == ANSWERS_BEFORE_THE_KILL) {
                    server.kill();
                }
            }
            return last;
        }
    }

    private static JsonNode run(TestProject project, String query, String file) {
        try (var stream = LineStream.post(project.api().base(), PATH + query, "x-api-key: " + project.secretKey())) {
            stream.send(file).end();
            JsonNode last = MissingNode.getInstance();
            for (var line = stream.next(); line != null; line = stream.next()) {
                last = line;
            }
            assertThat(last.path("done").asBoolean()).as("%s", last).isTrue();
            return last;
        }
    }
}
