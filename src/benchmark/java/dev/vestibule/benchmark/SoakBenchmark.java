package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mixed traffic for a long time on a small heap: nothing may grow from its middle third to its last one.
 * {@code -Dsoak.minutes=3} makes it shorter.
 */
class SoakBenchmark {
    private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("soak.minutes", 20));
    private static final int SAMPLES = 30;
    private static final int VISITORS = 16;
    private static final int ADDRESSES = 10_000;
    private static final int FEW_ROWS = 1_000; // which make no table larger

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("soak");
    private final Path folder;

    SoakBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void nothingGrows() throws Exception {
        var command = MeasuredServer.command(folder)
                .with("VESTIBULE_LIMITS_ENABLED", "true")
                .with("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1")
                .with("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true")
                .with("VESTIBULE_TOKENS_CACHE_SIZE", "10000") // full in a minute, as the default is in ten
                .java("-Xmx128m");
        try (var server = MeasuredServer.start(command);
                var receiver = StaticServer.start(20)) {
            report.add("postgres", server.postgresVersion());
            var project = server.firstProject();
            project.manage("POST", "/v1/dashboard/webhooks")
                    .json(Map.of("url", "http://127.0.0.1:" + receiver.port() + "/", "events", List.of("*")))
                    .expect(201);
            var courses = courses(soak(server, project));
            assertThat(server.jar().output()).doesNotContain("OutOfMemoryError").doesNotContain(" ERROR ");
            assertThat(courses).filteredOn(course -> !course.isFlat()).isEmpty();
        } finally {
            report.write();
        }
        vertx.close().await();
    }

    private List<SoakSample> soak(MeasuredServer server, TestProject project) {
        var load = Visits.start(vertx, server.port(), () -> new Visitor(project, anyAddress()), VISITORS);
        var samples = new ArrayList<SoakSample>();
        report.line("%s", SoakSample.HEADER);
        for (int i = 0; i < SAMPLES && !load.hasFailed(); i++) {
            var traffic = Sample.watch(load, server.clock(), TIME.dividedBy(SAMPLES));
            var sample = SoakSample.of(server, traffic);
            report.line("%s", sample.inWords());
            samples.add(sample);
        }
        load.stop();
        return samples;
    }

    private static String anyAddress() {
        var n = ThreadLocalRandom.current().nextInt(ADDRESSES);
        return "10.0." + n / 256 + "." + n % 256;
    }

    private List<Trend> courses(List<SoakSample> samples) {
        var courses = new ArrayList<Trend>();
        courses.add(Trend.of("resident MiB", each(samples, SoakSample::residentMib), 1.05, 8));
        courses.add(Trend.of("heap after a collection, MiB", each(samples, SoakSample::heapMib), 1.05, 4));
        courses.add(Trend.of("threads", each(samples, SoakSample::threads), 1, 2));
        courses.add(Trend.of("open files and sockets", each(samples, SoakSample::files), 1, 8));
        courses.add(Trend.of("connections of PostgreSQL", each(samples, SoakSample::postgresConnections), 1, 1));
        for (var table : samples.get(samples.size() - 1).largeTables()) {
            var rows = each(samples, sample -> Math.max(sample.table(table).liveRows(), FEW_ROWS));
            var kib = each(samples, sample -> sample.table(table).bytes() / 1024.0);
            var dead = each(samples, sample -> sample.table(table).deadRows());
            courses.add(Trend.of(table + ", KiB, but for more rows", kib, rows, 1.10, 1024));
            courses.add(Trend.of(table + ", dead rows", dead, rows, 1.25, 10_000));
        }
        report(courses);
        return courses;
    }

    private static List<Double> each(List<SoakSample> samples, ToDoubleFunction<SoakSample> value) {
        return samples.stream().map(value::applyAsDouble).toList();
    }

    private void report(List<Trend> courses) {
        report.add("courses", courses);
        report.line("%-60s %10s %10s %10s %10s", "medians of thirds", "first", "middle", "last", "at most");
        courses.forEach(course -> report.line(
                "%-60s %10.1f %10.1f %10.1f %10.1f%s",
                course.name(),
                course.first(),
                course.middle(),
                course.last(),
                course.most(),
                course.isFlat() ? "" : "   GROWS"));
    }
}
