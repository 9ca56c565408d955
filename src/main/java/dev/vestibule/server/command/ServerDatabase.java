package dev.vestibule.server.command;

import dev.vestibule.config.DatabaseAddress;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.config.ShardAddress;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Migrations;
import dev.vestibule.database.embedded.Address;
import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.database.embedded.EmbeddedServerException.FolderInUseException;
import dev.vestibule.database.embedded.RunningServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database that a server with these settings uses: the configured one, or the embedded one. If a server is running
 * on the embedded one, its PostgreSQL is used; otherwise PostgreSQL is started, and {@link #close} stops it.
 */
public final class ServerDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerDatabase.class);
    private static final int CONNECTIONS = 30;

    private final Connection connection;
    private final String place;
    private final @Nullable EmbeddedServer started;

    private ServerDatabase(Connection connection, String place, @Nullable EmbeddedServer started) {
        this.connection = connection;
        this.place = place;
        this.started = started;
    }

    /** Opens a database that must already exist; for an embedded one, its folder must exist. */
    public static ServerDatabase open(Settings settings) {
        if (settings.database().url().isEmpty() && !EmbeddedServer.hasData(settings.dataDir())) {
            throw new CommandException("There is no database in " + absolute(settings.dataDir())
                    + ": run this in the folder that the server runs in, or set dataDir or database.url as the server has"
                    + " them.");
        }
        return openOrCreate(settings);
    }

    /** Opens the database; an embedded one is created, without a schema, if it is missing. */
    public static ServerDatabase openOrCreate(Settings settings) {
        return settings.database().url().map(given -> given(given, settings)).orElseGet(() -> embedded(settings));
    }

    private static ServerDatabase given(DatabaseAddress address, Settings settings) {
        address.warning().ifPresent(LOG::warn);
        settings.database().directUrl().flatMap(DatabaseAddress::warning).ifPresent(LOG::warn);
        var connection = Connection.to(address, settings.database());
        return new ServerDatabase(connection, "the database at " + connection.migrated(), null);
    }

    /** One of the further databases; nothing to close. */
    static ServerDatabase of(ShardAddress shard, Settings settings) {
        return new ServerDatabase(Connection.to(shard, settings.database()), "the database " + shard.name(), null);
    }

    private static ServerDatabase embedded(Settings settings) {
        if (!EmbeddedServer.isInJar()) {
            // The slim jar could reach a running one, but it would be a different jar from the server's.
            throw new InvalidConfigurationException(
                    List.of("database.url must be set: this jar has no PostgreSQL of its own (vestibule.jar has one)"));
        }
        var place = "the database in " + absolute(settings.dataDir());
        try {
            var started = EmbeddedServer.start(settings.dataDir(), CONNECTIONS);
            return new ServerDatabase(to(started.address(), settings), place, started);
        } catch (FolderInUseException running) {
            return new ServerDatabase(to(RunningServer.find(settings.dataDir()), settings), place, null);
        }
    }

    private static Connection to(Address address, Settings settings) {
        return Connection.to(address, settings.database());
    }

    private static Path absolute(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    /** How the reactive client reaches it. */
    public Connection connection() {
        return connection;
    }

    /** A new JDBC connection, which the caller closes; it bypasses a pooler, if there is one. */
    public java.sql.Connection connect() throws SQLException {
        return DriverManager.getConnection(
                connection.jdbcUrl(), connection.user(), connection.password().reveal());
    }

    /** Which database it is, as a phrase for messages. */
    public String place() {
        return place;
    }

    /** How its schema compares to that of this jar. */
    public Migrations.State schema() {
        try {
            return Migrations.state(
                    connection.jdbcUrl(),
                    connection.user(),
                    connection.password().reveal());
        } catch (FlywayException failure) {
            throw new CommandException(capitalized(place) + " cannot be used: " + failure.getMessage(), failure);
        }
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** Migrates an empty database to this jar's schema. */
    public void migrate() {
        Migrations.run(
                connection.jdbcUrl(), connection.user(), connection.password().reveal());
    }

    /** Throws unless the schema is this jar's. */
    public void requireCurrentSchema() {
        switch (schema()) {
            case CURRENT -> {}
            case EMPTY -> throw new CommandException("There is nothing in " + place + " yet: start the server once.");
            case OLDER ->
                throw new CommandException("The schema of " + place
                        + " is older than this jar: use the jar that the server runs with, or start the server with this"
                        + " one, which brings the schema up to date.");
            case NEWER ->
                throw new CommandException(
                        "The schema of " + place + " is newer than this jar: use the jar that the server runs with.");
        }
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }
}
