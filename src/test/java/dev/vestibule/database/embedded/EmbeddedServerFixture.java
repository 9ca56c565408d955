package dev.vestibule.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Helpers for tests of the embedded server. */
final class EmbeddedServerFixture {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private EmbeddedServerFixture() {}

    static Connection connect(Address address, String user, String password) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {address.host()});
        source.setPortNumbers(new int[] {address.port()});
        source.setDatabaseName(address.database());
        return source.getConnection(user, password);
    }

    /** The first column of the first row, if there is one. */
    static @Nullable String query(Address address, String sql) throws SQLException {
        try (Connection connection = connect(address, address.user(), address.password());
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    static ProcessHandle postmaster(Path dataDir) throws IOException {
        String pid = Files.readAllLines(pidFile(dataDir)).get(0);
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    static Path pidFile(Path dataDir) {
        return dataDir.resolve("postgres/postmaster.pid");
    }

    /** Repeats the call after any failure until it returns a value or the time is over. */
    static void awaitValue(String expected, Callable<@Nullable String> actual) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                if (expected.equals(actual.call())) {
                    return;
                }
            } catch (Exception e) {
                assertThat(e).isInstanceOfAny(SQLException.class, IOException.class);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        throw new AssertionError("No " + expected + " within " + LIMIT);
    }
}
