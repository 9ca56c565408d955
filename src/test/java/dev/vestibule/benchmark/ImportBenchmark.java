package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints what an import of 100,000 users takes, and that one whose server is killed is finished by another run. */
class ImportBenchmark {
    private static final int ROWS = Integer.getInteger("import.rows", 100_000);
    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String PATH = "/v1/dashboard/users/import";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Table table = new Table();
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

    /** Each with a bcrypt hash of its own, which need not be anybody's password. */
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
        table.line("Java %s, -Xmx128m, %d users, %.1f MB", Runtime.version(), ROWS, Files.size(file) / 1e6);
        TestProject first;
        TestProject second;
        long answered;
        var server = command.start();
        try {
            first = through(server, server.firstProject());
            second = TestProject.create(first.api(), first.owner(), Map.of("name", "Another"));
            var before = memory(server, "VmRSS");
            table.line("first run   %6.0f rows/s", run(first, 0));
            table.line(
                    "resident    %d MiB before, %d MiB at its peak, %d MiB after",
                    before, memory(server, "VmHWM"), memory(server, "VmRSS"));
            table.line("second run  %6.0f rows/s, all of them there", run(first, 0));
            answered = runUntilKilled(server, second);
        } finally {
            server.kill();
        }
        try (var again = command.start()) {
            var resumed = through(again, second);
            table.line("killed after %d answers; the rest %6.0f rows/s", answered, run(resumed, answered));
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

    /** Rows a second; fails where a row failed. */
    private double run(TestProject project, long skip) {
        var start = System.nanoTime();
        var last = send(project, skip, new AtomicLong()).join();
        assertThat(last).contains("\"done\":true").endsWith("\"failed\":0}");
        return (ROWS - skip) / ((System.nanoTime() - start) / 1e9);
    }

    /** How many lines were answered. */
    private long runUntilKilled(JarServer server, TestProject project) {
        var answered = new AtomicLong();
        var run = send(project, 0, answered);
        while (answered.get() < ROWS / 3) {
            Thread.onSpinWait();
        }
        server.kill();
        try {
            run.join();
        } catch (CompletionException cut) {
            assertThat(cut).hasCauseInstanceOf(UncheckedIOException.class);
        }
        return answered.get();
    }

    /** The last line; the counter tells meanwhile how many have come. */
    private CompletableFuture<String> send(TestProject project, long skip, AtomicLong answered) {
        try {
            var request = HttpRequest.newBuilder(URI.create(project.api().base() + PATH + "?skip=" + skip))
                    .header("x-api-key", project.secretKey())
                    .header("Content-Type", "application/x-ndjson")
                    .POST(HttpRequest.BodyPublishers.ofFile(file))
                    .build();
            return http.sendAsync(request, BodyHandlers.ofLines())
                    .thenApply(response -> response.body()
                            .peek(line -> answered.incrementAndGet())
                            .reduce("", (before, line) -> line));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long memory(JarServer server, String line) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                        .filter(text -> text.startsWith(line + ":"))
                        .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
                        .sum()
                / 1024;
    }
}
