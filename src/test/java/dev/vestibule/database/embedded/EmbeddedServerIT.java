package dev.vestibule.database.embedded;

import static dev.vestibule.database.embedded.EmbeddedServerFixture.connect;
import static dev.vestibule.database.embedded.EmbeddedServerFixture.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a running server promises. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedServerIT {
    private final Path dataDir;
    private final EmbeddedServer server;

    EmbeddedServerIT(@TempDir Path dataDir) {
        this.dataDir = dataDir;
        UnpackedPostgres.into(dataDir);
        this.server = EmbeddedServer.start(dataDir);
    }

    @BeforeAll
    void createsTheExtensionAsItsOwnRole() throws SQLException {
        query(server.address(), "CREATE EXTENSION pg_trgm");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "fsync, on",
        "synchronous_commit, on",
        "full_page_writes, on",
        "password_encryption, scram-sha-256",
        "listen_addresses, 127.0.0.1",
        "shared_buffers, 128MB",
        "max_connections, 200",
        "server_encoding, UTF8",
        "data_checksums, on",
        "is_superuser, off",
    })
    void aCommitIsDurableAndStrangersCannotConnect(String setting, String value) throws SQLException {
        assertThat(query(server.address(), "SHOW " + setting)).isEqualTo(value);
    }

    @Test
    void theServerListensOnlyOnLoopback() throws SQLException {
        Address address = server.address();
        Address superuser =
                new Address(address.host(), address.port(), "postgres", address.password(), address.database());
        assertThat(query(superuser, "SHOW unix_socket_directories")).isEmpty();
        assertThat(query(superuser, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules"))
                .isEqualTo("scram-sha-256");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vestibule", "postgres"})
    void theServerRequiresAPassword(String user) {
        assertThatThrownBy(() -> connect(server.address(), user, "wrong").close())
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }

    @Test
    void nonAsciiLettersAreLetters() throws SQLException {
        assertThat(query(server.address(), "SELECT lower('ÉÜØЖ')")).isEqualTo("éüøж");
        assertThat(query(server.address(), "SELECT similarity('Édouard', 'édouard')"))
                .isEqualTo("1");
        assertThat(query(server.address(), "SELECT similarity('éé', 'üü')")).isEqualTo("0");
    }

    @Test
    void theApplicationOwnsItsDatabase() throws SQLException {
        String owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()";
        assertThat(query(server.address(), owner)).isEqualTo(server.address().user());
    }

    @ParameterizedTest
    @CsvSource({
        "postgres, rwx------",
        "postgres-binaries, rwx------",
        "postgres.password, rw-------",
        "postgres.lock, rw-------",
        "postgres.log, rw-------",
    })
    void noOtherUserCanReadTheData(String name, String permissions) throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dataDir.resolve(name))))
                .isEqualTo(permissions);
    }

    @Test
    void thePasswordReachesNoLog() throws IOException {
        Address address = server.address();
        assertThat(address.password()).hasSize(43);
        assertThat(address.toString()).doesNotContain(address.password());
        assertThat(Files.readString(dataDir.resolve("postgres.log"))).doesNotContain(address.password());
    }

    @Test
    void aSecondServerOnOneFolderIsRefusedImmediately() throws IOException, SQLException {
        try (OtherProcess second = OtherProcess.start(dataDir)) {
            assertThat(second.firstLine()).contains("Another running server uses the data folder " + dataDir);
        }
        assertThat(query(server.address(), "SELECT 'undisturbed'")).isEqualTo("undisturbed");
    }
}
