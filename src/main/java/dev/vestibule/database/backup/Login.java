package dev.vestibule.database.backup;

import dev.vestibule.config.Secret;
import dev.vestibule.database.Connection;
import dev.vestibule.database.embedded.Address;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** How JDBC reaches the database that is backed up or restored. */
public record Login(String jdbcUrl, String user, Secret password) {
    /**
     * A backup takes longer than a request, so the role's limits must not apply, and the output must not depend on
     * settings of the role, database or machine. Not every PostgreSQL release has all of these settings.
     */
    private static final String PREPARE = """
            SELECT set_config(name, value, false)
            FROM (VALUES ('statement_timeout', '0'), ('transaction_timeout', '0'), ('lock_timeout', '0'),
                         ('idle_in_transaction_session_timeout', '0'), ('idle_session_timeout', '0'),
                         ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
                         ('extra_float_digits', '3'), ('bytea_output', 'hex'))
                AS wanted (name, value)
            WHERE name IN (SELECT lower(name) FROM pg_settings)
            """;

    public static Login of(Connection connection) {
        return new Login(connection.jdbcUrl(), connection.user(), connection.password());
    }

    public static Login of(Address address) {
        return new Login(
                "jdbc:postgresql://%s:%d/%s".formatted(address.host(), address.port(), address.database()),
                address.user(),
                new Secret(address.password()));
    }

    java.sql.Connection connect() throws SQLException {
        var connection = open();
        try (Statement statement = connection.createStatement()) {
            statement.execute(PREPARE);
            return connection;
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    private java.sql.Connection open() throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password.reveal());
        properties.setProperty("ApplicationName", "vestibule");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("options", "-c statement_timeout=0");
        return DriverManager.getConnection(jdbcUrl, properties);
    }
}
