package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/**
 * Migrates the schema to this version of the server. Flyway holds a lock in the database while it runs, so any number
 * of nodes can start at once. Running nodes continue while a newer one migrates. A node refuses to start on a schema
 * newer than it knows, since that combination is untested.
 */
public final class Migrations {
    private static final String FOLDER = "db/migration";

    /** Looks in the schema that Flyway would use: another schema can also have a table of that name. */
    private static final String HISTORY = """
            SELECT script, checksum, success FROM schema_history
            WHERE version IS NOT NULL AND tableoid = to_regclass(quote_ident(current_schema()) || '.schema_history')
            """;

    // PostgreSQL, Appendix A
    private static final String WRONG_LOGIN_CLASS = "28";
    private static final String NO_SUCH_DATABASE_CLASS = "3D";

    private Migrations() {}

    /**
     * The files of this jar with their checksums, computed as Flyway does. If Flyway ever computed them differently,
     * {@link #isDone} would just be false.
     */
    public static Map<String, Integer> inJar() {
        var folder = Objects.requireNonNull(Migrations.class.getClassLoader().getResource(FOLDER), FOLDER);
        try {
            return names(folder).stream()
                    .filter(name -> name.startsWith("V") && name.endsWith(".sql")) // not what runs after connecting
                    .collect(Collectors.toMap(Function.identity(), Migrations::checksum));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> names(URL folder) throws IOException {
        if (folder.openConnection() instanceof JarURLConnection jar) {
            return jar.getJarFile().stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith(FOLDER + "/"))
                    .map(name -> name.substring(FOLDER.length() + 1))
                    .toList();
        }
        try (var files = Files.list(Path.of(URI.create(folder.toString())))) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    /** CRC-32 of the lines without their line ends. */
    private static int checksum(String name) {
        try (var file = Objects.requireNonNull(
                        Migrations.class.getClassLoader().getResourceAsStream(FOLDER + "/" + name), name);
                var lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            var sum = new CRC32();
            lines.lines().forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
            return (int) sum.getValue();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Whether the database has run exactly these files, unchanged, and no others. Then Flyway, whose classes and
     * connections take a quarter of the time of a start, has nothing to do. In any other case, even if the database
     * does not answer, it is false, and Flyway reports what is wrong. A history row is committed together with its
     * migration, so a migration that another node is still running is not done.
     */
    public static Future<Boolean> isDone(SqlClient database, Map<String, Integer> files) {
        return database.query(HISTORY)
                .execute()
                .map(rows -> rows.size() == files.size()
                        && StreamSupport.stream(rows.spliterator(), false)
                                .allMatch(row -> Boolean.TRUE.equals(row.getBoolean("success"))
                                        && Objects.equals(
                                                files.get(row.getString("script")), row.getInteger("checksum"))))
                .otherwise(false);
    }

    /** How the schema of a database compares to that of this jar. */
    public enum State {
        EMPTY,
        OLDER,
        CURRENT,
        NEWER
    }

    /** Reads the state from the database, and changes nothing. */
    public static State state(String jdbcUrl, String user, String password) {
        checkLogin(jdbcUrl, user, password);
        var migrations = flyway(jdbcUrl, user, password).load().info();
        if (latestFuture(migrations).isPresent()) {
            return State.NEWER;
        }
        if (migrations.pending().length == 0) {
            return State.CURRENT;
        }
        return migrations.applied().length == 0 ? State.EMPTY : State.OLDER;
    }

    /**
     * Blocks until the schema is current. Flyway's exception says what is wrong.
     *
     * @throws NewerSchemaException if a later release has migrated it
     */
    public static void run(String jdbcUrl, String user, String password) {
        checkLogin(jdbcUrl, user, password);
        var flyway = flyway(jdbcUrl, user, password).load();
        var migrations = flyway.info();
        latestFuture(migrations).ifPresent(version -> {
            throw new NewerSchemaException(version, latestKnown(migrations));
        });
        flyway.migrate();
    }

    /** Flyway waits for a server that cannot be reached, and would wait just as long after a wrong password. */
    private static void checkLogin(String jdbcUrl, String user, String password) {
        try {
            DriverManager.getConnection(jdbcUrl, user, password).close();
        } catch (SQLException failure) {
            var state = String.valueOf(failure.getSQLState());
            if (state.startsWith(WRONG_LOGIN_CLASS) || state.startsWith(NO_SUCH_DATABASE_CLASS)) {
                throw new FlywayException(failure.getMessage(), failure);
            }
        }
    }

    /** The latest version that the database has and this jar has no file for. */
    private static Optional<MigrationVersion> latestFuture(MigrationInfoService migrations) {
        return latest(Arrays.stream(migrations.applied()).filter(Migrations::isFuture));
    }

    private static MigrationVersion latestKnown(MigrationInfoService migrations) {
        return latest(Arrays.stream(migrations.all()).filter(migration -> !isFuture(migration)))
                .orElse(MigrationVersion.EMPTY);
    }

    private static Optional<MigrationVersion> latest(Stream<MigrationInfo> migrations) {
        return migrations
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder());
    }

    private static boolean isFuture(MigrationInfo migration) {
        return migration.getState() == MigrationState.FUTURE_SUCCESS
                || migration.getState() == MigrationState.FUTURE_FAILED;
    }

    /**
     * Migrates up to the given version, with a history table of another name, which no server recognizes as its own.
     */
    public static void run(String jdbcUrl, String user, String password, String history, String version) {
        flyway(jdbcUrl, user, password).table(history).target(version).load().migrate();
    }

    /** Removes everything from the schema. */
    public static void clean(String jdbcUrl, String user, String password) {
        flyway(jdbcUrl, user, password).cleanDisabled(false).load().clean();
    }

    /** The newest version among files of these names. */
    public static String newest(Collection<String> files) {
        return files.stream()
                .map(file -> MigrationVersion.fromVersion(file.substring(1, file.indexOf("__"))))
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY)
                .getVersion();
    }

    static FluentConfiguration flyway(String jdbcUrl, String user, String password) {
        var flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(jdbcUrl, user, password)
                .locations("classpath:" + FOLDER)
                .table("schema_history")
                .connectRetries(10)
                .connectRetriesInterval(1)
                // Newer versions were checked before; if a newer node migrates while this runs, this node may
                // continue.
                .ignoreMigrationPatterns("*:future");
        // CREATE INDEX CONCURRENTLY would wait for ever for a lock that a transaction holds.
        flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
        return flyway;
    }

    /**
     * A later release has migrated the database; the message names that version and the latest one that this jar knows.
     */
    public static final class NewerSchemaException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NewerSchemaException(MigrationVersion found, MigrationVersion known) {
            super("its schema is at version " + found
                    + ", which a newer Vestibule has made, and this one knows versions up to " + known
                    + ". Start the newer one, or restore the backup from before the upgrade");
        }
    }
}
