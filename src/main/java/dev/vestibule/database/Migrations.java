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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.CRC32;
import org.flywaydb.core.Flyway;

/**
 * Migrates the schema to this version of the server. Flyway holds a lock in the database while it runs, so any number
 * of nodes may start at once. A schema that is newer than the server is accepted, so that nodes can be upgraded one by
 * one.
 */
public final class Migrations {
    private static final String FOLDER = "db/migration";

    /** In the schema that Flyway would use: there can be a table of that name in another one, too. */
    private static final String HISTORY = """
            SELECT script, checksum, success FROM schema_history
            WHERE version IS NOT NULL AND tableoid = to_regclass(quote_ident(current_schema()) || '.schema_history')
            """;

    private Migrations() {}

    /**
     * The files of this jar with their checksums, computed as Flyway does. If it did otherwise one day, {@link #isDone}
     * would be false, and nothing worse.
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

    /** CRC-32 of the lines without their ends. */
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
     * Whether these files, unchanged, are what the database has run, and it has run no other. Then there is nothing for
     * Flyway to do, whose classes and connections take a quarter of the time of a start. In any other case, also if the
     * database does not answer, it is false: what is wrong is for Flyway to say. A row is committed with what its file
     * did, so a migration that another node is at is not done.
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

    /** Blocks until the schema is current. Flyway's exception says what is wrong. */
    public static void run(String jdbcUrl, String user, String password) {
        Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(jdbcUrl, user, password)
                .locations("classpath:" + FOLDER)
                .table("schema_history")
                .connectRetries(10)
                .connectRetriesInterval(1)
                .ignoreMigrationPatterns("*:future")
                .load()
                .migrate();
    }
}
