package dev.vestibule.database.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;

/** Creates the application's own role and database, so that it does not connect as the superuser. */
final class ApplicationDatabase {
    static final String HOST = "127.0.0.1";
    static final String SUPERUSER = "postgres";
    private static final String NAME = "vestibule";
    private static final int CONNECT_LIMIT_SECONDS = 10;

    private ApplicationDatabase() {}

    /** Creates what is missing, so that a start after a crash completes an interrupted one. */
    static Address ensure(int port, String password) {
        try (Connection connection = superuser(port, password);
                Statement statement = connection.createStatement()) {
            if (!finds(statement, "SELECT 1 FROM pg_roles WHERE rolname = '" + NAME + "'")) {
                // We generate the password as base64url, so nothing in it needs quoting.
                statement.execute("CREATE ROLE " + NAME + " LOGIN PASSWORD '" + password + "'");
            }
            if (!finds(statement, "SELECT 1 FROM pg_database WHERE datname = '" + NAME + "'")) {
                statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
            }
            return address(port, password);
        } catch (SQLException e) {
            throw new EmbeddedServerException(
                    "The embedded PostgreSQL refuses its own superuser: " + e.getMessage(), e);
        }
    }

    static Address address(int port, String password) {
        return new Address(HOST, port, NAME, password, NAME);
    }

    private static Connection superuser(int port, String password) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {HOST});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName("postgres");
        source.setConnectTimeout(CONNECT_LIMIT_SECONDS);
        source.setLoginTimeout(CONNECT_LIMIT_SECONDS);
        return source.getConnection(SUPERUSER, password);
    }

    private static boolean finds(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.next();
        }
    }
}
