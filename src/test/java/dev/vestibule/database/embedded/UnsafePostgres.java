package dev.vestibule.database.embedded;

import dev.vestibule.database.embedded.EmbeddedServerException.FolderInUseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;

/**
 * The embedded PostgreSQL without durability: it never waits for the disk, and its data is deleted with it. For tests
 * that do not kill it.
 */
public final class UnsafePostgres implements AutoCloseable {
    private static final Path FOLDER = Path.of("target/postgres");
    private static final String PREFIX = "run";
    private static final int CONNECTIONS = 500;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path path;
    private final DataFolder folder;
    private final Programs programs;
    private final Address address;

    private UnsafePostgres(Path path, DataFolder folder) throws IOException {
        this.path = path;
        this.folder = folder;
        String password = folder.password();
        ServerLog log = new ServerLog(folder.log());
        Path home = Binaries.unpacked(folder, TestedPostgres.archive());
        programs = new Programs(home, log);
        TestedPostgres.create(folder, programs, home);
        int port = FreePort.find();
        String settings = "-p " + port + " -F -c max_connections=" + CONNECTIONS + " -c listen_addresses="
                + ApplicationDatabase.HOST + " -c unix_socket_directories= -c synchronous_commit=off"
                + " -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c shared_buffers=256MB"
                + " -c max_wal_size=4GB -c timezone=UTC -c log_timezone=UTC";
        pgCtl("start", "-l", folder.log().toString(), "-o", settings);
        address = ApplicationDatabase.ensure(port, password);
        signInCheaply(password);
    }

    /** Tests open thousands of connections, and for each one both sides would hash the password 4,096 times. */
    private void signInCheaply(String password) {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://" + address.host() + ":" + address.port() + "/postgres",
                        "postgres",
                        password);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT set_config(name, '1', false) FROM pg_settings"
                    + " WHERE name = 'scram_iterations'"); // which is new in 16
            statement.execute("ALTER ROLE postgres PASSWORD '" + password + "'");
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Starts one, and removes what interrupted runs have left. */
    public static UnsafePostgres start() {
        try {
            Files.createDirectories(FOLDER);
            removeLeftovers();
            Path path = Files.createTempDirectory(FOLDER, PREFIX);
            UnpackedPostgres.into(path, TestedPostgres.archive());
            return new UnsafePostgres(path, DataFolder.open(path));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(FOLDER, PREFIX + "*")) {
            for (Path run : runs) {
                try (DataFolder left = DataFolder.open(run)) {
                    ServerLog log = new ServerLog(left.log());
                    Programs programs = new Programs(Binaries.unpacked(left, TestedPostgres.archive()), log);
                    new PostgresProcess(left, programs, log, CONNECTIONS).clearLeftovers();
                } catch (FolderInUseException inUse) {
                    continue; // by another run at the same time
                }
                FileUtils.deleteDirectory(run.toFile());
            }
        }
    }

    private void pgCtl(String action, String... how) {
        List<String> arguments =
                new ArrayList<>(List.of(action, "-D", folder.cluster().toString(), "-s", "-w"));
        arguments.addAll(List.of(how));
        programs.run("pg_ctl", LIMIT, arguments);
    }

    public Address address() {
        return address;
    }

    @Override
    public void close() {
        pgCtl("stop", "-m", "immediate");
        folder.close();
        try {
            // Hundreds of databases: not waited for, but under a name that the next start does not mistake for a
            // leftover.
            Path old = Files.move(path, path.resolveSibling("old-" + path.getFileName()));
            new ProcessBuilder("rm", "-rf", old.toAbsolutePath().toString()).start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
