package dev.vestibule.benchmark;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit log costs: sign ins and refreshes of a server with the log, compared to one without. */
class AuditBenchmark {
    private static final String WITH = "with audit log";
    private static final String WITHOUT = "without";
    private static final String WITH_REFRESHES = "with refreshes in it";
    private static final int SIGN_IN_CLIENTS = 16;
    private static final int REFRESH_CLIENTS = 64;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Turns TURNS = new Turns(6, Duration.ofMillis(500), Duration.ofSeconds(4));

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("audit");
    private final Path folder;

    AuditBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A server and its accounts. */
    private record Measured(String name, MeasuredServer server, List<Account> accounts) {
        Line signIn(Vertx vertx) {
            var clients = accounts.stream()
                    .limit(SIGN_IN_CLIENTS)
                    .map(Client::signingIn)
                    .toList();
            return line(vertx, Paths.SIGN_IN, clients);
        }

        Line refresh(Vertx vertx) {
            // Not those who sign in, which ends their older sessions.
            var clients = accounts.stream()
                    .skip(SIGN_IN_CLIENTS)
                    .map(Client::refreshing)
                    .toList();
            return line(vertx, Paths.REFRESH, clients);
        }

        private Line line(Vertx vertx, String path, List<Client> clients) {
            return new Line(
                    path + " " + name,
                    clients.size(),
                    server.clock(),
                    () -> ClosedLoad.of(vertx, server.port(), clients));
        }
    }

    @Test
    void figures() {
        try (var with = start("with", "true", "false");
                var without = start("without", "false", "false");
                var withRefreshes = start("with-refreshes", "true", "true")) {
            var all = Stream.of(
                            measured(WITH, with), measured(WITHOUT, without), measured(WITH_REFRESHES, withRefreshes))
                    .toList();
            var signIns = all.stream().limit(2).map(one -> one.signIn(vertx)).toList();
            var refreshes = all.stream().map(one -> one.refresh(vertx)).toList();
            Turns.warmUp(signIns, WARM_UP);
            Turns.warmUp(refreshes, WARM_UP);
            report.header();
            var results = TURNS.measure(signIns);
            report.figure(of(Paths.SIGN_IN, WITHOUT), SIGN_IN_CLIENTS, results);
            compare(Paths.SIGN_IN, WITH, SIGN_IN_CLIENTS, results);
            results = TURNS.measure(refreshes);
            report.figure(of(Paths.REFRESH, WITHOUT), REFRESH_CLIENTS, results);
            compare(Paths.REFRESH, WITH, REFRESH_CLIENTS, results);
            compare(Paths.REFRESH, WITH_REFRESHES, REFRESH_CLIENTS, results);
        }
        vertx.close().await();
        report.write();
    }

    private MeasuredServer start(String name, String enabled, String refreshes) {
        return MeasuredServer.start(MeasuredServer.command(folder.resolve(name))
                .with("VESTIBULE_AUDIT_ENABLED", enabled)
                .with("VESTIBULE_AUDIT_REFRESHES", refreshes));
    }

    private static Measured measured(String name, MeasuredServer server) {
        return new Measured(name, server, Account.signUp(server.firstProject(), SIGN_IN_CLIENTS + REFRESH_CLIENTS));
    }

    private void compare(String path, String name, int clients, Results results) {
        report.figure(of(path, name), clients, results, of(path, WITHOUT), clients, 0.95);
    }

    private static String of(String path, String name) {
        return path + " " + name;
    }
}
