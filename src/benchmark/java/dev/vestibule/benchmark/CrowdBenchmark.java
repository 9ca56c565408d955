package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What five thousand idle and slow clients cost the others, and whether all are gone when their time is over. */
class CrowdBenchmark {
    private static final int IDLE = 3_000;
    private static final int SLOW_HEADS = 500;
    private static final int SLOW_BODIES = 500;
    private static final int UNREAD = 1_000;
    private static final int CONNECTIONS = 64;
    private static final int RATE = 1_000; // verifies a second
    private static final Duration SETTLE = Duration.ofSeconds(5);
    private static final Duration TIME = Duration.ofSeconds(25); // so long that slow senders are cut and come back
    private static final Duration LONGEST_STAY = Duration.ofMinutes(2);
    private static final int FEW_FILES = 16;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("crowd");
    private final Path folder;

    CrowdBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() throws Exception {
        var command = MeasuredServer.cheap(folder)
                .with("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1") // or one network could not have so many
                .with("VESTIBULE_HTTP_MAX_CONNECTIONS", "8000")
                .with("VESTIBULE_HTTP_MAX_SILENT_CONNECTIONS", "8000")
                .java("-Xmx256m");
        try (var server = MeasuredServer.start(command)) {
            var clients = Account.signUp(server.firstProject(), CONNECTIONS).stream()
                    .map(Client::verifying)
                    .toList();
            verify(server, clients); // warms up
            var alone = verify(server, clients);
            var files = server.process().openFiles();
            size("alone", server);

            var crowd = new Crowd(server.port());
            crowd.addIdle(IDLE);
            crowd.addSlowHeads(SLOW_HEADS);
            crowd.addSlowBodies(SLOW_BODIES);
            crowd.addUnread(UNREAD);
            var during = verify(server, clients);
            report.p99("verify beside the crowd", during, "alone", alone);
            size("beside the crowd", server);
            report.fact("slow senders that were cut and came back", crowd.comebacks());

            crowd.leave();
            awaitAtMost(server, files + FEW_FILES);
            size("when all were cut", server);
            report.p99("verify after the crowd", verify(server, clients), "alone", alone);
            crowd.close();
            assertThat(server.process().openFiles()).isLessThanOrEqualTo(files + FEW_FILES);
            assertThat(server.jar().output()).doesNotContain("OutOfMemoryError").doesNotContain(" ERROR ");
        } finally {
            report.write();
        }
        vertx.close().await();
    }

    private Sample verify(MeasuredServer server, List<Client> clients) {
        return Sample.of(OpenLoad.start(vertx, server.port(), clients, RATE), server.clock(), SETTLE, TIME);
    }

    private void size(String when, MeasuredServer server) {
        var process = server.process();
        var resident = process.residentMib(); // before the collection
        var heap = process.heapMibAfterCollection();
        var files = process.openFiles();
        report.line("%s: resident %d MiB, heap %.1f MiB, %d files and sockets", when, resident, heap, files);
        report.add(when, Map.of("residentMib", resident, "heapMib", Report.rounded(heap), "files", files));
    }

    private static void awaitAtMost(MeasuredServer server, long files) {
        var end = System.nanoTime() + LONGEST_STAY.toNanos();
        while (server.process().openFiles() > files && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
        }
    }
}
