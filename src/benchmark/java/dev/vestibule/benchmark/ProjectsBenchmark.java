package dev.vestibule.benchmark;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand projects in turn, compared to as many users of one project. */
class ProjectsBenchmark {
    private static final int PROJECTS = 10_000;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Turns TURNS = new Turns(4, Duration.ofMillis(500), Duration.ofSeconds(3));

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("projects");
    private final Path folder;

    ProjectsBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() {
        var command = MeasuredServer.cheap(folder).with("VESTIBULE_DASHBOARD_MAX_PROJECTS", "100000");
        try (var server = MeasuredServer.start(command)) {
            var project = server.firstProject();
            var one = new AccountPool("one project", server, Account.signUp(project, PROJECTS));
            var many = new AccountPool(PROJECTS + " projects", server, accountsOfNewProjects(project));
            var lines = Stream.of(one, many)
                    .flatMap(crowd -> crowd.lines(vertx).stream())
                    .toList();
            Turns.warmUp(lines, WARM_UP);
            report.header();
            many.report(report, TURNS.measure(lines), one, 0.85);
        }
        vertx.close().await();
        report.write();
    }

    private static List<Account> accountsOfNewProjects(TestProject owners) {
        return IntStream.range(0, PROJECTS)
                .parallel()
                .mapToObj(i -> TestProject.create(owners.api(), owners.owner(), Map.of("name", "Project " + i)))
                .map(project -> Account.of(project, project.signUp()))
                .toList();
    }
}
