package dev.vestibule.user.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LineStream;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.http.FailureHandler;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An import while it runs: slow clients, clients that vanish, and a database that vanishes. */
@ExtendWith(WithServer.class)
class ImportStreamIT {
    private static final String PATH = "/v1/dashboard/users/import";
    private static final String ADA = "{\"email\":\"ada@example.com\"}\n";
    private static final String BOB = "{\"email\":\"bob@example.com\"}\n";

    private final TestDatabase database;
    private final TestServer shared;

    ImportStreamIT(TestDatabase database, TestServer shared) {
        this.database = database;
        this.shared = shared;
    }

    private static LineStream open(TestProject project, String query, String... headers) {
        var all = new ArrayList<>(List.of("x-api-key: " + project.secretKey()));
        all.addAll(List.of(headers));
        return LineStream.post(project.api().base(), PATH + query, all.toArray(String[]::new));
    }

    private static String text(LineStream stream) {
        return String.valueOf(stream.next());
    }

    @Test
    void aLineIsAnsweredBeforeTheNextIsSent() {
        var project = shared.newProject();
        try (var stream = open(project, "")) {
            assertThat(text(stream.send(ADA))).contains("\"line\":1", "created");
            assertThat(text(stream.send(ADA.substring(0, 10)).send(ADA.substring(10))))
                    .startsWith("{\"line\":2,\"status\":\"exists\",\"id\":");
            assertThat(text(stream.send(BOB.strip()).end())).contains("\"line\":3", "created");
            assertThat(text(stream)).isEqualTo("{\"done\":true,\"created\":2,\"exists\":1,\"failed\":0}");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void aClientThatExpects100ContinueGetsIt() {
        try (var stream = open(shared.newProject(), "", "Expect: 100-continue")) {
            assertThat(stream.status()).isEqualTo(100);
            stream.send(ADA).end();
            assertThat(stream.status()).isEqualTo(200);
        }
    }

    /** As Java's own client does with its first request; the upgrade would take the whole body into memory first. */
    @Test
    void aClientThatAsksForAnUpgradeIsAnsweredWithoutOne() {
        var upgrade = new String[] {
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"
        };
        try (var stream = open(shared.newProject(), "", upgrade)) {
            assertThat(text(stream.send(ADA))).contains("\"line\":1", "created");
            assertThat(text(stream.send(BOB).end())).contains("\"line\":2", "created");
        }
    }

    @Test
    void aRefusedClientGetsTheResponseWhileItSends() {
        try (var stream = LineStream.post(shared.api().base(), PATH, "x-api-key: sk_live_nonsense")) {
            stream.send(ADA);
            assertThat(stream.status()).isEqualTo(401);
            stream.send(BOB).end();
        }
    }

    @Test
    void aClientCanSendEverythingBeforeItReads() {
        var lines = 60_000;
        try (var stream = open(shared.newProject(), "")) {
            for (int i = 0; i < lines; i += 1000) {
                stream.send("x\n".repeat(1000));
            }
            stream.end();
            for (int i = 1; i <= lines; i++) {
                assertThat(Objects.requireNonNull(stream.next()).path("line").asInt())
                        .isEqualTo(i);
            }
            assertThat(text(stream)).isEqualTo("{\"done\":true,\"created\":0,\"exists\":0,\"failed\":60000}");
        }
    }

    @Test
    void aSlowReaderSlowsTheImportDown() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_IMPORTS_RESULT_BYTES", "1024"))) {
            var lines = IntStream.range(0, 2000)
                    .mapToObj(i -> "{\"email\":\"user%d@example.com\"}".formatted(i))
                    .collect(Collectors.joining("\n"));
            assertThat(server.newProject()
                            .manage("POST", PATH)
                            .raw("application/x-ndjson", lines)
                            .expect(200)
                            .body())
                    .endsWith("{\"done\":true,\"created\":2000,\"exists\":0,\"failed\":0}\n");
        }
    }

    @Test
    void aProjectRunsALimitedNumberOfImportsUntilAClientLeaves() {
        var project = shared.newProject();
        try (var first = open(project, "")) {
            text(first.send(ADA));
            try (var second = open(project, "")) {
                text(second.send(ADA));
                var refused = project.manage("POST", PATH).text(BOB).expect(503);
                assertThat(refused.header("Retry-After")).hasValue("10");
                shared.newProject().manage("POST", PATH).text(BOB).expect(200);
            }
            Eventually.until(
                    "the import of the client that is gone has ended",
                    () -> project.manage("POST", PATH).text(BOB).send().status() == 200);
        }
    }

    /** An operator who reads of a database that does not answer looks for what is not there. */
    @Test
    void aClientThatLeavesIsNoFailureOfTheServer() {
        var many = ADA.repeat(300);
        try (var logged = new LoggedLines(FailureHandler.class);
                var server = TestServer.start(database, Map.of("VESTIBULE_IMPORTS_PER_PROJECT", "1"))) {
            var project = server.newProject();
            for (var sent : List.of("", ADA, many, many + many)) {
                var id = "left-" + UUID.randomUUID();
                try (var stream = open(project, "", "X-Request-Id: " + id)) {
                    text(stream.send(ADA + sent));
                }
                Eventually.until(
                        "its import has ended",
                        () -> project.manage("POST", PATH).text(BOB).send().status() == 200);
                assertThat(logged.of(id)).isEmpty();
            }
        }
    }

    @Test
    void allProjectsTogetherRunALimitedNumberOfImports() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_IMPORTS_TOTAL", "1"));
                var stream = open(server.newProject(), "")) {
            text(stream.send(ADA));
            server.newProject().manage("POST", PATH).text(BOB).expect(503);
        }
    }

    /** However many projects were created from that network. */
    @Test
    void theLastImportIsLeftToAnotherNetwork() {
        var settings = Map.of("VESTIBULE_IMPORTS_TOTAL", "2", "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1");
        try (var server = TestServer.start(database, settings);
                var stream = open(server.newProject(), "", "X-Forwarded-For: 198.51.100.2")) {
            text(stream.send(ADA));
            var another = server.newProject();
            another.manage("POST", PATH)
                    .header("X-Forwarded-For", "198.51.100.2")
                    .text(BOB)
                    .expect(503);
            another.manage("POST", PATH)
                    .header("X-Forwarded-For", "203.0.113.1")
                    .text(BOB)
                    .expect(200);
        }
    }

    @Test
    void aSlowImportEndsAtItsTimeLimitAndSaysHowToContinue() {
        var clock = new TestClock();
        try (var server = TestServer.start(database, Map.of("VESTIBULE_IMPORTS_MAX_SECONDS", "600"), clock);
                var slow = open(server.newProject(), "")) {
            assertThat(text(slow.send(ADA))).contains("created");
            clock.advance(Duration.ofSeconds(601));
            slow.send(BOB); // may still be accepted, if the import was already waiting for the line
            assertThat(text(slow) + text(slow)).contains("\"statusCode\":408", "imports.maxSeconds", "skip");
        }
    }

    /** Otherwise a few clients that send nothing would keep all others from importing. */
    @Test
    void anImportThatGetsNoLineEndsAndFreesItsSlot() {
        var settings = Map.of("VESTIBULE_IMPORTS_TOTAL", "1", "VESTIBULE_IMPORTS_LINE_SECONDS", "4");
        try (var server = TestServer.start(database, settings)) {
            var project = server.newProject();
            try (var silent = open(project, "")) {
                assertThat(silent.send(ADA.substring(0, 10)).status()).isEqualTo(408);
                try (var stalled = open(project, "")) {
                    assertThat(text(stalled.send(ADA))).contains("\"line\":1", "created");
                    assertThat(text(stalled.send(BOB.substring(0, 10))))
                            .contains("\"statusCode\":408", "No complete line arrived for 4 seconds.", "\"line\":1");
                    assertThat(stalled.next()).isNull();
                    var other = server.newProject();
                    Eventually.until(
                            "there is room for another's",
                            () -> other.manage("POST", PATH).text(BOB).send().status() == 200);
                }
            }
        }
    }

    /** The guard asks the database, and nothing notifies a body reader that starts after its connection has ended. */
    @Test
    void anImportWhoseClientLeftBeforeItBeganHoldsNoSlot() throws SQLException {
        var settings = Map.of("VESTIBULE_IMPORTS_TOTAL", "1");
        try (var server = TestServer.start(database, settings)) {
            var project = server.newProject();
            var other = server.newProject();
            other.manage("GET", "/v1/dashboard/users").expect(200); // so that its key is known
            try (var locking = server.sql().connect();
                    var statement = locking.createStatement()) {
                locking.setAutoCommit(false);
                statement.execute("LOCK TABLE projects, api_keys");
                open(project, "").close();
                Eventually.until(
                        "the guard waits",
                        () -> server.sql()
                                        .count("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                                + " current_database() AND wait_event_type = 'Lock'"
                                                + " AND query LIKE 'SELECT id, kind, hash FROM api_keys%'")
                                >= 1);
                locking.rollback();
            }
            project.manage("GET", "/v1/dashboard/users").expect(200); // after the guard's statement
            assertThat(other.manage("POST", PATH).text(BOB).expect(200).body()).contains("\"created\":1");
        }
    }

    /**
     * Nothing notifies a body reader that has read everything, and before each step a member's session is asked for.
     */
    @Test
    void anImportWhoseClientLeftAfterItsLastLineHoldsNoSlot() {
        var settings = Map.of("VESTIBULE_IMPORTS_TOTAL", "1");
        try (var server = TestServer.start(database, settings)) {
            var project = server.newProject();
            var ofProject = PATH + "?projectId=" + project.id();
            try (var stream =
                    LineStream.post(project.api().base(), ofProject, "Authorization: Bearer " + project.owner())) {
                text(stream.send(ADA));
                stream.send("\n".repeat(20_000)).end();
            }
            Eventually.until(
                    "its import has ended",
                    () -> project.manage("POST", PATH).text(BOB).send().status() == 200);
        }
    }

    @Test
    void aLostDatabaseIsReportedInTheLastLineAndTheImportCanResumeThere() {
        var proxy = DatabaseProxy.before(database.createDatabase());
        try (proxy;
                var server = TestServer.startOn(
                        proxy.url(), TestServer.USUAL_DATABASE_WAITS, Clock.tickMillis(ZoneOffset.UTC))) {
            var project = server.newProject();
            try (var stream = open(project, "")) {
                text(stream.send(ADA));
                proxy.takeAway();
                var last = text(stream.send(BOB));
                assertThat(last).contains("\"statusCode\":503").endsWith("\"line\":1}");
                assertThat(stream.next()).isNull();
            }
            proxy.restore();
            Eventually.until(
                    "the import continues",
                    () -> project.manage("POST", PATH + "?skip=1")
                            .text(ADA + BOB)
                            .send()
                            .body()
                            .contains("\"created\":1"));
        }
    }

    @Test
    void anImportCanTakeLongerThanARequestAndLetsSignInsGoFirst() {
        var hurried = Map.of(
                "VESTIBULE_HTTP_REQUEST_SECONDS", "1",
                "VESTIBULE_PASSWORDS_QUEUE", "1",
                "VESTIBULE_PASSWORDS_THREADS", "1",
                "VESTIBULE_PASSWORDS_MEMORY", "65536",
                "VESTIBULE_PASSWORDS_ITERATIONS", "2");
        try (var server = TestServer.startOn(shared.databaseUrl(), hurried, Clock.tickMillis(ZoneOffset.UTC))) {
            var project = shared.newProject().at(server);
            var lines = IntStream.range(0, 16)
                    .mapToObj(i ->
                            "{\"email\":\"user%d@example.com\",\"password\":\"%s\"}".formatted(i, TestProject.PASSWORD))
                    .collect(Collectors.joining("\n"));
            var signIns = Parallel.start(4, i -> project.trySignIn("nobody@example.com", TestProject.PASSWORD));

            assertThat(project.manage("POST", PATH).text(lines).expect(200).body())
                    .endsWith("{\"done\":true,\"created\":16,\"exists\":0,\"failed\":0}\n");
            Parallel.await(signIns);
        }
    }
}
