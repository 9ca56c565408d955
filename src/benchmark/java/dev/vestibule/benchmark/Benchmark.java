package dev.vestibule.benchmark;

import static dev.vestibule.benchmark.Paths.BARE_HASHES;
import static dev.vestibule.benchmark.Paths.BARE_SERVER;
import static dev.vestibule.benchmark.Paths.BARE_UPDATE;
import static dev.vestibule.benchmark.Paths.BRANDING;
import static dev.vestibule.benchmark.Paths.ME;
import static dev.vestibule.benchmark.Paths.REFRESH;
import static dev.vestibule.benchmark.Paths.SIGN_IN;
import static dev.vestibule.benchmark.Paths.VERIFY;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The throughput of the server, each path compared to its lower bound in one run, and its latency against load. The
 * package description says how to run it; its name keeps it out of the ordinary test run.
 */
class Benchmark {
    private static final List<Integer> CLIENTS = List.of(16, 64, 256, 1024);
    private static final int FEW = 16;
    private static final int USUAL = 64; // of a path and its floor
    private static final int MOST = 1024;
    private static final int SIGN_IN_CLIENTS = 16;
    private static final int BRANDING_LENGTH = 400; // about
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration WARM_UP_OF_HASHES = Duration.ofSeconds(15); // there are few a second
    private static final Duration WARM_UP_OF_CURVES = Duration.ofSeconds(3);
    private static final Turns TURNS = new Turns(3, Duration.ofMillis(400), Duration.ofMillis(1600));
    private static final Turns TURNS_OF_HASHES = new Turns(3, Duration.ofSeconds(1), Duration.ofSeconds(5));
    private static final int LIGHT_LOAD = 1_000; // verifies a second during sign ins
    private static final int CONNECTIONS = 256; // of a load at a constant rate: enough that one is idle
    private static final int STEPS = 9; // up to 90 % of the throughput
    private static final Duration STEP = Duration.ofSeconds(2);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("results");
    private final Path folder;

    Benchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A project with an account for each client. */
    private record Prepared(TestProject project, List<Account> accounts) {}

    @Test
    void figures() throws IOException {
        var prepared = prepare();
        try (var server = MeasuredServer.start(MeasuredServer.command(folder));
                var bare = StaticServer.start(BRANDING_LENGTH)) {
            report.add("postgres", server.postgresVersion());
            var project = server.through(prepared.project());
            var paths = new Paths(vertx, server, bare, project, prepared.accounts());
            report.header();
            var requests = requests(paths);
            passwords(paths, Account.signUp(project, SIGN_IN_CLIENTS));
            latencyAgainstLoad(paths, requests);
        }
        vertx.close().await();
        report.write();
    }

    /** A server with cheap hashes creates the accounts, since a thousand would otherwise take half a minute. */
    private Prepared prepare() {
        try (var server = MeasuredServer.start(MeasuredServer.cheap(folder))) {
            var project = server.firstProject();
            return new Prepared(project, Account.signUp(project, MOST));
        }
    }

    private Results requests(Paths paths) {
        var lines = new ArrayList<>(List.of(paths.bareUpdate(USUAL)));
        for (var path : List.of(BARE_SERVER, BRANDING, VERIFY, ME, REFRESH)) {
            CLIENTS.forEach(clients -> lines.add(paths.line(path, clients)));
        }
        Turns.warmUp(lines.stream().filter(line -> line.clients() == USUAL).toList(), WARM_UP);
        var results = TURNS.measure(lines);
        compareToLowerBounds(results);
        compareToFewerClients(results);
        return results;
    }

    private void compareToLowerBounds(Results results) {
        report.figure(BARE_SERVER, USUAL, results);
        report.figure(BRANDING, USUAL, results, BARE_SERVER, USUAL, 0.60);
        report.figure(VERIFY, USUAL, results, BRANDING, USUAL, 0.75);
        report.figure(ME, USUAL, results, BRANDING, USUAL, 0.75);
        report.figure(BARE_UPDATE, USUAL, results);
        report.figure(REFRESH, USUAL, results, BARE_UPDATE, USUAL, 0.90);
    }

    private void compareToFewerClients(Results results) {
        for (var path : List.of(BARE_SERVER, BRANDING, VERIFY, ME, REFRESH)) {
            report.figure(path, FEW, results);
            Stream.of(256, MOST).forEach(clients -> report.figure(path, clients, results, path, FEW, 0.95));
        }
    }

    private void passwords(Paths paths, List<Account> users) {
        var hashes = Paths.bareHashes();
        var signIns = paths.signIn(users);
        Turns.warmUp(List.of(signIns), WARM_UP_OF_HASHES);
        var results = TURNS_OF_HASHES.measure(List.of(hashes, signIns));
        report.figure(BARE_HASHES, HashLoad.THREADS, results);
        report.figure(SIGN_IN, SIGN_IN_CLIENTS, results, BARE_HASHES, HashLoad.THREADS, 0.95);
        verifyDuring(signIns, paths);
    }

    /**
     * Sign ins take all cores, but verify, which every other request of an application waits for, must not wait for
     * them. The bare server shows how long a process then waits for a core; the load generator waits too.
     */
    private void verifyDuring(Line signIns, Paths paths) {
        var alone =
                Stream.of(BARE_SERVER, VERIFY).map(path -> lightly(path, paths)).toList();
        var busy = signIns.load().get();
        var during =
                Stream.of(BARE_SERVER, VERIFY).map(path -> lightly(path, paths)).toList();
        busy.stop();
        var what = ", %d/s, while sign ins take all cores".formatted(LIGHT_LOAD);
        report.p99(BARE_SERVER + what, during.get(0), "alone", alone.get(0));
        report.p99(VERIFY + what, during.get(1), "alone (bar 5)", alone.get(1));
    }

    private static Sample lightly(String path, Paths paths) {
        var load = paths.atRate(path, CONNECTIONS, LIGHT_LOAD);
        return Sample.of(load, paths.clock(path), TURNS_OF_HASHES.settle(), TURNS_OF_HASHES.time());
    }

    private void latencyAgainstLoad(Paths paths, Results results) throws IOException {
        var curves = Stream.of(VERIFY, ME, REFRESH)
                .map(path -> curve(path, paths, results.of(path, USUAL).perSecond()))
                .toList();
        report.add("latencyAgainstLoad", curves);
        new LatencyPlot(curves).write(Report.file("latency.svg"));
        report.line("latency against load: %s", Report.file("latency.svg"));
    }

    private static LatencyCurve curve(String path, Paths paths, double most) {
        Sample.of(paths.atRate(path, CONNECTIONS, most / 2), paths.clock(path), Duration.ZERO, WARM_UP_OF_CURVES);
        var points = new ArrayList<LatencyCurve.Point>();
        for (int step = 1; step <= STEPS; step++) {
            var rate = most * step / (STEPS + 1);
            var load = paths.atRate(path, CONNECTIONS, rate);
            points.add(LatencyCurve.Point.of(rate, Sample.of(load, paths.clock(path), TURNS.settle(), STEP)));
        }
        return new LatencyCurve(path, points);
    }
}
