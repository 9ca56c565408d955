package dev.vestibule.database.embedded;

import static dev.vestibule.database.embedded.EmbeddedServerFixture.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.database.Migrations;
import dev.vestibule.database.backup.EmbeddedTransfer;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A new major version of PostgreSQL in the jar: the data of the previous release moves automatically, or stays
 * unchanged.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("Each test moves a database from one major version to the next, by two PostgreSQLs.")
class UpgradeIT {
    private static final String ROWS = "SELECT count(*) FROM users";
    private static final String ADD_ROWS = """
            INSERT INTO users (project_id, id, email, created_at, updated_at)
            SELECT (SELECT id FROM projects), gen_random_uuid(), gen_random_uuid() || '@example.com', now(), now()
            FROM generate_series(1, %d) AS n
            """;
    private static final String USERS = "500";

    private final Path older;
    private Path dataDir;

    /** The data of the previous release, which was stopped cleanly. */
    UpgradeIT(@TempDir Path older) throws SQLException {
        this.older = older;
        this.dataDir = older;
        try (EmbeddedServer server = OlderPostgres.start(older)) {
            Address address = server.address();
            Migrations.run(
                    "jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + address.database(),
                    address.user(),
                    address.password());
            query(address, ADD_ROWS.formatted(500));
        }
    }

    @BeforeEach
    void copy(@TempDir Path folder) throws IOException {
        dataDir = folder.resolve("data");
        FileUtils.copyDirectory(
                older.toFile(), dataDir.toFile(), file -> !file.getName().equals("postgres-binaries"));
        UnpackedPostgres.into(dataDir, OlderPostgres.archive());
        Files.setPosixFilePermissions(
                dataDir.resolve("postgres"), PosixFilePermissions.fromString("rwx------")); // which a copy has not
    }

    private EmbeddedServer start(List<String> progress) {
        UnpackedPostgres.into(dataDir);
        return EmbeddedServer.start(dataDir, 20, new EmbeddedTransfer(progress::add));
    }

    private void everythingIsThere(String rows) throws SQLException, IOException {
        try (EmbeddedServer server = start(new ArrayList<>())) {
            assertThat(query(server.address(), "SHOW server_version")).startsWith("18.");
            assertThat(query(server.address(), ROWS)).isEqualTo(rows);
        }
        assertThat(dataDir.resolve("postgres/PG_VERSION")).hasContent("18");
        assertThat(dataDir.resolve("postgres.upgraded")).doesNotExist();
        assertThat(dataDir.resolve("postgres-17/PG_VERSION")).hasContent("17");
    }

    @Test
    void theDataMovesByItselfAndTheOlderDatabaseIsKept() throws SQLException, IOException {
        List<String> progress = new ArrayList<>();
        try (EmbeddedServer server = start(progress)) {
            assertThat(query(server.address(), ROWS)).isEqualTo(USERS);
        }
        assertThat(progress).contains("users: 500 rows", "Restored: 1,002 rows");
        everythingIsThere(USERS);
        try (Stream<Path> homes = Files.list(dataDir.resolve("postgres-binaries"))) {
            assertThat(homes.filter(Files::isDirectory)).as("programs").hasSize(1);
        }
        anOlderPostgresRefusesNewerData();
        aKillBetweenTheRenamesIsRepaired();
    }

    private void anOlderPostgresRefusesNewerData() {
        UnpackedPostgres.into(dataDir, OlderPostgres.archive());
        assertThatThrownBy(() -> OlderPostgres.start(dataDir))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is of PostgreSQL 18, and this release has PostgreSQL 17");
    }

    /** After the first of the two renames there is no database of the usual name. */
    private void aKillBetweenTheRenamesIsRepaired() throws SQLException, IOException {
        Files.move(dataDir.resolve("postgres"), dataDir.resolve("postgres.upgraded"));
        everythingIsThere(USERS);
    }

    @Test
    void aUserStaysSignedInAndTheirPasswordWorks(@TempDir Path served) throws SQLException {
        TestProject before;
        ApiClient.Response signedUp;
        try (EmbeddedServer database = OlderPostgres.start(served);
                TestServer release = serve(database)) {
            assertThat(query(database.address(), "SHOW server_version")).startsWith("17.");
            before = release.newProject();
            signedUp = before.signUp("ada@example.com");
        }
        UnpackedPostgres.into(served);
        try (EmbeddedServer database = EmbeddedServer.start(served, 50, new EmbeddedTransfer(line -> {}));
                TestServer release = serve(database)) {
            assertThat(query(database.address(), "SHOW server_version")).startsWith("18.");
            TestProject after = before.at(release);
            after.me(signedUp.accessToken()).expect(200);
            ApiClient.Response refreshed =
                    after.refresh(signedUp.refreshToken()).expect(200);
            assertThat(after.me(refreshed.accessToken()).expect(200).text("email"))
                    .isEqualTo("ada@example.com");
            assertThat(after.signIn("ada@example.com").text("user/id")).isEqualTo(signedUp.text("user/id"));
            after.trySignIn("ada@example.com", TestProject.PASSWORD + "!").expect(401);
        }
    }

    private static TestServer serve(EmbeddedServer database) {
        Address address = database.address();
        String url = "postgresql://%s:%s@%s:%d/%s?sslmode=disable"
                .formatted(address.user(), address.password(), address.host(), address.port(), address.database());
        return TestServer.startOn(url, Map.of(), Clock.tickMillis(ZoneOffset.UTC));
    }

    @ParameterizedTest
    @ValueSource(strings = {"users: 500 rows", "Checking", "Building indexes", "Restored"})
    void aKillDuringAnUpgradeLosesNothing(String line) throws SQLException, IOException {
        UnpackedPostgres.into(dataDir);
        assertThat(UpgradingProcess.killAt(line, dataDir)).isTrue();
        assertThat(Files.readString(dataDir.resolve("postgres/PG_VERSION")).strip())
                .isIn(
                        line.equals("Restored")
                                ? List.of("17", "18")
                                : List.of("17")); // the last step may be done by then
        everythingIsThere(USERS);
    }

    @Test
    void aFailureLeavesTheOlderDatabaseToThePreviousRelease() throws SQLException, IOException {
        UnpackedPostgres.into(dataDir);
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir, 20, new Transfer() {
                    @Override
                    public void save(Address from, Path file) {
                        new EmbeddedTransfer(line -> {}).save(from, file);
                    }

                    @Override
                    public void load(Path file, Address into) {
                        throw new IllegalStateException("no space left on device");
                    }
                }))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessage("The data could not be moved to PostgreSQL 18, and is as it was: no space left on device");
        try (EmbeddedServer server = OlderPostgres.start(dataDir)) {
            assertThat(query(server.address(), ROWS)).isEqualTo(USERS);
        }
    }

    /** Before the first rename, the previous release may have run again and changed data. */
    @Test
    void aKillBeforeTheRenamesDoesNotRestoreOutdatedData() throws SQLException, IOException {
        start(new ArrayList<>()).close();
        Files.move(dataDir.resolve("postgres"), dataDir.resolve("postgres.upgraded"));
        Files.move(dataDir.resolve("postgres-17"), dataDir.resolve("postgres"));
        try (EmbeddedServer server = OlderPostgres.start(dataDir)) {
            query(server.address(), ADD_ROWS.formatted(1));
        }
        everythingIsThere("501");
    }

    @Test
    void anUpgradeWithoutTheOlderProgramsSaysWhatToDo() throws SQLException, IOException {
        FileUtils.deleteDirectory(dataDir.resolve("postgres-binaries").toFile());
        assertThatThrownBy(() -> start(new ArrayList<>()))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is of PostgreSQL 17, whose programs are not in")
                .hasMessageContaining("start the release that last ran on it once, and then this one");
        try (EmbeddedServer server = OlderPostgres.start(dataDir)) {
            assertThat(query(server.address(), ROWS)).isEqualTo(USERS);
        }
        everythingIsThere(USERS);
    }

    @Test
    void aRestoreNeedsAFolderWithoutADatabase() {
        assertThatThrownBy(() -> EmbeddedServer.create(dataDir, address -> {}))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("is a database already: name a data folder that has none");
    }

    @Test
    void aFolderThatCouldNotBeFilledHasNoDatabase(@TempDir Path empty) {
        UnpackedPostgres.into(empty);
        assertThatThrownBy(() -> EmbeddedServer.create(empty, address -> {
                    throw new IllegalStateException("half way");
                }))
                .hasMessage("half way");
        assertThat(empty.resolve("postgres")).doesNotExist();
    }
}
