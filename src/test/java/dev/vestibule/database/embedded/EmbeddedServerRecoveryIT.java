package dev.vestibule.database.embedded;

import static dev.vestibule.database.embedded.EmbeddedServerFixture.awaitValue;
import static dev.vestibule.database.embedded.EmbeddedServerFixture.connect;
import static dev.vestibule.database.embedded.EmbeddedServerFixture.pidFile;
import static dev.vestibule.database.embedded.EmbeddedServerFixture.postmaster;
import static dev.vestibule.database.embedded.EmbeddedServerFixture.query;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What survives and what restarts when something is killed; the tests share one folder, as crashes do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedServerRecoveryIT {
    private static final String ROWS = "SELECT string_agg(name, ' ') FROM kept";

    private final Path dataDir;

    EmbeddedServerRecoveryIT(@TempDir Path dataDir) {
        this.dataDir = dataDir;
    }

    @BeforeAll
    void firstStart() throws SQLException {
        UnpackedPostgres.into(dataDir);
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            query(server.address(), "CREATE TABLE kept (name text)");
        }
    }

    @Test
    void aCommittedRowSurvivesAKillOfThePostmaster() throws SQLException, IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            Address address = server.address();
            keep(address, "a");
            postmaster(dataDir).destroyForcibly();
            awaitValue("a", () -> query(address, ROWS + " WHERE name = 'a'"));
        }
    }

    @Test
    void aBusyClientProcessDoesNotDelayTheRestart() throws SQLException, IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir);
                Connection busy = connect(
                        server.address(),
                        server.address().user(),
                        server.address().password());
                Statement statement = busy.createStatement()) {
            CompletableFuture<Boolean> computation = CompletableFuture.supplyAsync(() -> fails(statement));
            awaitValue("1", () -> query(server.address(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"));
            postmaster(dataDir).destroyForcibly();
            awaitValue("back", () -> query(server.address(), "SELECT 'back'"));
            assertThat(computation.join()).isTrue();
        }
    }

    /** Runs for ever, without checking whether its server is alive. */
    private static boolean fails(Statement statement) {
        try {
            statement.execute("DO 'BEGIN PERFORM pg_advisory_lock(1); LOOP END LOOP; END'");
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    @Test
    void aServerThatIsAskedToStopIsRestartedWhileWeRun() throws SQLException, IOException {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            ProcessHandle first = postmaster(dataDir);
            first.destroy();
            awaitValue("true", () -> String.valueOf(!postmaster(dataDir).equals(first)));
            awaitValue("back", () -> query(server.address(), "SELECT 'back'"));
        }
    }

    @Test
    void aCommittedRowSurvivesAKillOfTheProcess() throws SQLException, IOException {
        ProcessHandle left;
        try (OtherProcess other = OtherProcess.start(dataDir)) {
            keep(addressIn(other), "b");
            left = postmaster(dataDir);
            other.kill();
        }
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            assertThat(postmaster(dataDir)).isNotEqualTo(left);
            assertThat(query(server.address(), ROWS + " WHERE name = 'b'")).isEqualTo("b");
        }
    }

    @Test
    void aCommittedRowSurvivesAKillOfBothAtOnce() throws SQLException, IOException {
        try (OtherProcess other = OtherProcess.start(dataDir)) {
            keep(addressIn(other), "c");
            ProcessHandle postmaster = postmaster(dataDir);
            other.kill();
            postmaster.destroyForcibly();
        }
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            assertThat(query(server.address(), ROWS + " WHERE name = 'c'")).isEqualTo("c");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "4194303", "self", "", "garbage\n"})
    void aStalePidFileDoesNotStopTheStart(String pid) throws SQLException, IOException {
        String content = pid.equals("self") ? ProcessHandle.current().pid() + "\n" + dataDir + "\n" : pid;
        Files.writeString(pidFile(dataDir), content);
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            assertThat(query(server.address(), "SELECT 'started'")).isEqualTo("started");
        }
    }

    @Test
    void closingStopsTheServerAndReleasesTheFolder() throws IOException {
        EmbeddedServer server = EmbeddedServer.start(dataDir);
        ProcessHandle postmaster = postmaster(dataDir);
        server.close();
        postmaster.onExit().join();
        assertThat(pidFile(dataDir)).doesNotExist();
        EmbeddedServer.start(dataDir).close();
    }

    @Test
    void closingDoesNotHangOnAServerThatIsAlreadyStopping() throws SQLException, IOException {
        EmbeddedServer server = EmbeddedServer.start(dataDir);
        Address address = server.address();
        try (Connection open = connect(address, address.user(), address.password())) {
            assertThat(open.isValid(60)).isTrue();
            postmaster(dataDir).destroy(); // waits for that client
            server.close();
            assertThat(open.isValid(60)).isFalse();
        }
        assertThat(pidFile(dataDir)).doesNotExist();
    }

    private Address addressIn(OtherProcess other) throws IOException {
        String password = Files.readString(dataDir.resolve("postgres.password")).strip();
        return new Address("127.0.0.1", Integer.parseInt(other.firstLine()), "vestibule", password, "vestibule");
    }

    private static void keep(Address address, String name) throws SQLException {
        query(address, "INSERT INTO kept VALUES ('" + name + "')");
    }
}
