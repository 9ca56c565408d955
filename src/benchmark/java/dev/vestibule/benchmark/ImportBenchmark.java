package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.LineStream;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures an import of 100,000 users, and checks that a second run finishes one whose server was killed. */
class ImportBenchmark {
    private static final int ROWS = Integer.getInteger("import.rows", 100_000);
    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int CHUNK = 64 * 1024;
    private static final String PATH = "/v1/dashboard/users/import";

    private final Report report = new Report("import");
    private final JarCommand command;
    private final Path file;

    ImportBenchmark(@TempDir Path folder) throws IOException {
        command = JarCommand.unconfigured(folder.resolve("server"))
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .java("-Xmx128m");
        file = folder.resolve("users.ndjson");
        write(file);
    }

    /** Gives each user a different bcrypt hash, which need not match any password. */
    private static void write(Path file) throws IOException {
        var random = new Random(1);
        try (var out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < ROWS; i++) {
                var hash = new StringBuilder("$2b$10$");
                random.ints(53, 0, ALPHABET.length()).forEach(digit -> hash.append(ALPHABET.charAt(digit)));
                out.write(("{\"email\":\"user%d@example.com\",\"displayName\":\"User %d\",\"passwordHash\":\"%s\","
                                + "\"emailVerified\":true,\"createdAt\":\"2020-01-01T00:00:00Z\"}%n")
                        .formatted(i, i, hash));
            }
        }
    }

    @Test
    void figures() throws IOException {
        report.line("Java %s, -Xmx128m, %d users, %.1f MB", Runtime.version(), ROWS, Files.size(file) / 1e6);
        TestProject first;
        TestProject second;
        long answered;
        var server = command.start();
        try {
            first = through(server, server.firstProject());
            second = TestProject.create(first.api(), first.owner(), Map.of("name", "Another"));
            var before = new ServerProcess(server.pid()).residentMib();
            report.line("first run   %6.0f rows/s", run(first, 0));
            report.line(
                    "resident    %d MiB before, %d MiB at its peak, %d MiB after",
                    before,
                    new ServerProcess(server.pid()).highestResidentMib(),
                    new ServerProcess(server.pid()).residentMib());
            report.line("second run  %6.0f rows/s, all of them there", run(first, 0));
            answered = runUntilKilled(server, second);
        } finally {
            server.kill();
        }
        try (var again = command.start()) {
            var resumed = through(again, second);
            report.line("killed after %d answers; the rest %6.0f rows/s", answered, run(resumed, answered));
            assertThat(total(resumed)).isEqualTo(ROWS);
            run(resumed, 0);
            assertThat(total(resumed)).isEqualTo(ROWS);
            assertThat(total(through(again, first))).isEqualTo(ROWS);
        }
    }

    private static TestProject through(JarServer server, TestProject project) {
        return project.through(ApiClient.undescribed(server.api().base()));
    }

    private static long total(TestProject project) {
        return project.manage("GET", "/v1/dashboard/users?limit=1")
                .expect(200)
                .json()
                .path("total")
                .asLong();
    }

    /** Rows a second; fails if a row has failed. */
    private double run(TestProject project, long skip) {
        var start = System.nanoTime();
        var last = send(project, skip, line -> {});
        assertThat(last.path("done").asBoolean()).as("%s", last).isTrue();
        assertThat(last.path("failed").asInt()).isZero();
        return (ROWS - skip) / ((System.nanoTime() - start) / 1e9);
    }

    /** The number of lines that have a result. */
    private long runUntilKilled(JarServer server, TestProject project) {
        var last = send(project, 0, line -> {
            if (line.path("line").asInt() == ROWS / 3) {
                server.kill();
            }
        });
        return last.path("line").asLong();
    }

    /** The last line of the response, which is read while the file is being sent. */
    private JsonNode send(TestProject project, long skip, Consumer<JsonNode> each) {
        JsonNode last = MissingNode.getInstance();
        try (var stream =
                LineStream.post(project.api().base(), PATH + "?skip=" + skip, "x-api-key: " + project.secretKey())) {
            var sending = CompletableFuture.runAsync(() -> sendFile(stream));
            for (var line = stream.next(); line != null; line = stream.next()) {
                last = line;
                each.accept(line);
            }
            sending.exceptionally(cut -> null).join();
        }
        return last;
    }

    private void sendFile(LineStream stream) {
        try (var lines = Files.newBufferedReader(file)) {
            var text = new StringBuilder();
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                text.append(line).append('\n');
                if (text.length() >= CHUNK) {
                    stream.send(text.toString());
                    text.setLength(0);
                }
            }
            stream.send(text.append('\n').toString()).end();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
