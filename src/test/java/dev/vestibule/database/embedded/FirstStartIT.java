package dev.vestibule.database.embedded;

import static dev.vestibule.database.embedded.EmbeddedServerFixture.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a start handles the folder that it finds. */
class FirstStartIT {
    @Test
    void aCrashDuringTheFirstStartIsRepaired(@TempDir Path dataDir) throws IOException, SQLException {
        UnpackedPostgres.into(dataDir);
        Files.createDirectories(dataDir.resolve("postgres.tmp/cluster1/base"));
        Files.writeString(dataDir.resolve("postgres.tmp/cluster1/PG_VERSION"), "18\n");
        Files.createDirectory(dataDir.resolve("postgres"));
        Files.writeString(dataDir.resolve("postgres.password"), "made-before-the-crash\n");
        try (EmbeddedServer server = EmbeddedServer.start(dataDir)) {
            assertThat(server.address().password()).isEqualTo("made-before-the-crash");
            assertThat(query(server.address(), "SELECT 'started'")).isEqualTo("started");
        }
        assertThat(dataDir.resolve("postgres.tmp/cluster1")).doesNotExist();
    }

    @Test
    void filesOfOthersAreLeftAlone(@TempDir Path dataDir) throws IOException {
        UnpackedPostgres.into(dataDir);
        Path dear = dataDir.resolve("postgres/base/dear");
        Files.createDirectories(dear);
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("holds files but is no PostgreSQL database");
        assertThat(dear).exists();
    }

    @Test
    void damagedBinariesAreUnpackedAgain(@TempDir Path dataDir) throws IOException {
        UnpackedPostgres.into(dataDir);
        Path damaged = program(dataDir, "postgres");
        byte[] whole = Files.readAllBytes(damaged);
        Files.delete(damaged); // other tests share the file
        Files.write(damaged, Arrays.copyOf(whole, 100));
        Files.delete(program(dataDir, "pg_ctl"));
        UnpackedPostgres.unpack(dataDir, Archive.find());
        assertThat(program(dataDir, "pg_ctl")).isExecutable();
        assertThat(damaged).hasBinaryContent(whole);
    }

    private Path program(Path dataDir, String name) throws IOException {
        try (Stream<Path> files = Files.walk(dataDir.resolve("postgres-binaries"))) {
            return files.filter(file -> file.endsWith("bin/" + name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aMissingPasswordFileIsNamed(@TempDir Path dataDir) throws IOException {
        UnpackedPostgres.into(dataDir);
        Files.createDirectory(dataDir.resolve("postgres"));
        Files.writeString(dataDir.resolve("postgres/PG_VERSION"), "18\n");
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("postgres.password is missing");
    }

    @Test
    void aServerThatCannotStartSaysWhy(@TempDir Path dataDir) throws IOException {
        UnpackedPostgres.into(dataDir);
        Files.createDirectory(dataDir.resolve("postgres"));
        Files.writeString(dataDir.resolve("postgres/PG_VERSION"), "18\n");
        Files.writeString(dataDir.resolve("postgres/postgresql.conf"), "");
        Files.writeString(dataDir.resolve("postgres.password"), "password\n");
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("FATAL")
                .hasMessageContaining("postgres");
    }

    @Test
    void aPathThatTheShellWouldChangeIsRefused(@TempDir Path dataDir) {
        assertThatThrownBy(() -> EmbeddedServer.start(dataDir.resolve("$HOME")))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("must not have");
    }
}
