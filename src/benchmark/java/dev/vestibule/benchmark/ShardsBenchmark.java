package dev.vestibule.benchmark;

import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one project notices when the database of another one goes away, and when home does. The users of that go on
 * asking throughout.
 */
class ShardsBenchmark {
    private static final int PER_SECOND = 500;
    private static final int CLIENTS = 32;
    private static final int CONNECTIONS = 100;
    private static final Duration BREATH = Duration.ofMillis(20);
    private static final Duration SETTLE = Duration.ofSeconds(15);
    private static final Duration TIME = Duration.ofSeconds(15);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("shards");
    private final Path folder;

    ShardsBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() {
        killed("elsewhere");
        killed("home");
        vertx.close().await();
        report.write();
    }

    private void killed(String victim) {
        var place = folder.resolve("without-" + victim);
        var home = EmbeddedServer.start(place.resolve("home"), CONNECTIONS);
        var elsewhere = EmbeddedServer.start(place.resolve("elsewhere"), CONNECTIONS);
        var isHome = victim.equals("home");
        try {
            var command = MeasuredServer.cheap(place.resolve("server"))
                    .with("VESTIBULE_SECRET", TestServer.SECRET)
                    .with("VESTIBULE_DATABASE_URL", url(home))
                    .with("VESTIBULE_DATABASE_SHARDS", "elsewhere=" + url(elsewhere));
            var atHome = projectOf(command);
            try (var server =
                    command.with("VESTIBULE_DATABASE_NEW_PROJECTS", "elsewhere").start()) {
                var there = TestProject.create(server.api(), atHome.owner(), Map.of("name", "Elsewhere"));
                var here = atHome.through(server.api());
                var load = OpenLoad.start(
                        vertx,
                        server.api().base().getPort(),
                        Account.signUp(isHome ? there : here, CLIENTS).stream()
                                .map(Client::askingForMe)
                                .toList(),
                        PER_SECOND);
                var process = ProcessHandle.of(server.pid()).orElseThrow();
                var clock = new CpuClock(process, process);
                var isOver = new AtomicBoolean();
                var visitors = visit(isHome ? here : there, isOver);
                Sample.watch(load, clock, SETTLE);
                var before = Sample.watch(load, clock, TIME);
                (isHome ? home : elsewhere).close(); // one that is killed would be started again
                var after = Sample.watch(load, clock, TIME);
                load.stop();
                isOver.set(true);
                visitors.join();
                report.p99("me while " + victim + " is away", after, "before", before);
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
        } finally {
            (isHome ? elsewhere : home).close();
        }
    }

    private static TestProject projectOf(JarCommand command) {
        try (var server = command.start()) {
            return server.firstProject();
        }
    }

    /** One user after another, whatever the answer is: there is only 503 once the database is dead. */
    private static Thread visit(TestProject project, AtomicBoolean isOver) {
        var accounts = Account.signUp(project, 2);
        var quiet = project.through(ApiClient.undescribed(project.api().base()));
        var visitor = new Thread(() -> {
            for (var i = 0; !isOver.get(); i = 1 - i) {
                quiet.get("/v1/auth/me").bearer(accounts.get(i).accessToken()).send();
                LockSupport.parkNanos(BREATH.toNanos());
            }
        });
        visitor.start();
        return visitor;
    }

    private static String url(EmbeddedServer server) {
        var address = server.address();
        return "postgresql://%s:%s@%s:%d/%s"
                .formatted(address.user(), address.password(), address.host(), address.port(), address.database());
    }
}
