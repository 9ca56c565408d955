package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The latency of one project while another, with a million users of three sessions each, is deleted: {@code mvn -q
 * verify -Pbenchmark -Dit.test=DeletionBenchmark}.
 */
class DeletionBenchmark {
    private static final int USERS = 1_000_000;
    private static final int CLIENTS = 4;
    private static final int REFRESHES = 5;
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Report report = new Report("deletion");
    private final Path folder;

    DeletionBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() throws IOException, SQLException {
        var command = JarCommand.unconfigured(folder)
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .with("VESTIBULE_LIMITS_ENABLED", "false");
        try (var server = command.start();
                var seeding = Seeding.of(new EmbeddedDatabase(folder.resolve("data")), Instant.now())) {
            var first = server.firstProject();
            var other = first.through(ApiClient.undescribed(first.api().base()));
            var big = TestProject.create(first.api(), first.owner(), Map.of("name", "Big"));
            seeding.users(UUID.fromString(big.id()), USERS);
            seeding.vacuum();
            measure("warming up", other, after(TIME));
            measure("without a deletion", other, after(TIME));
            var begin = System.nanoTime();
            big.asOwner("DELETE", "").expect(200);
            report.line("the deletion answers after %d ms", millisSince(begin));
            measure("during the deletion", other, () -> !seeding.hasProject(UUID.fromString(big.id())));
            report.line("the last row is gone after %d ms", millisSince(begin));
            measure("without a deletion, afterwards", other, after(TIME));
        }
    }

    private static BooleanSupplier after(Duration time) {
        var end = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() > end;
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    /** Clients sign up and refresh until the end. */
    private void measure(String when, TestProject project, BooleanSupplier end) {
        var signUps = new ConcurrentHistogram(3);
        var refreshes = new ConcurrentHistogram(3);
        var clients = new ArrayList<CompletableFuture<Void>>();
        var stop = new AtomicBoolean();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(CompletableFuture.runAsync(
                    () -> {
                        while (!stop.get()) {
                            var sent = System.nanoTime();
                            var token = project.signUp().refreshToken();
                            signUps.recordValue(System.nanoTime() - sent);
                            for (int j = 0; j < REFRESHES; j++) {
                                sent = System.nanoTime();
                                token = project.refresh(token).expect(200).refreshToken();
                                refreshes.recordValue(System.nanoTime() - sent);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        while (!end.getAsBoolean()) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        stop.set(true);
        clients.forEach(CompletableFuture::join);
        print(when, "sign up", signUps);
        print(when, "refresh", refreshes);
    }

    private void print(String when, String what, ConcurrentHistogram times) {
        report.line(
                "%s, %s: %d, median %.1f ms, p99 %.1f ms, longest %.1f ms",
                when,
                what,
                times.getTotalCount(),
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getMaxValue() / 1e6);
    }
}
