package dev.vestibule.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL on which tests run: the one that the jar includes, or that of the major version in the system property
 * {@code postgres.major}, which the Maven profile {@code engines} sets.
 */
public final class TestedPostgres {
    private static final Path FOLDER = Path.of("target/postgres-majors");
    private static final @Nullable String MAJOR = System.getProperty("postgres.major");
    private static final int WITH_BUILTIN_LOCALES = 17;
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(1);

    private TestedPostgres() {}

    /** Whether tests have to run on this PostgreSQL, even where another one is available. */
    public static boolean isPrescribed() {
        return MAJOR != null;
    }

    static URL archive() {
        if (MAJOR == null) {
            return Archive.find();
        }
        try (Stream<Path> jars = Files.list(FOLDER)) {
            return inJar(jars.filter(jar -> jar.getFileName().toString().contains("-" + MAJOR + "."))
                    .findFirst()
                    .orElseThrow());
        } catch (IOException missing) {
            throw new UncheckedIOException(FOLDER + " is made by: mvn -Pengines generate-test-resources", missing);
        }
    }

    /** The archive for this machine in a jar of another release. */
    static URL inJar(Path jar) throws MalformedURLException {
        return new URL(
                "jar:" + jar.toUri() + "!/" + Path.of(Archive.find().getFile()).getFileName());
    }

    /**
     * Creates the database folder. PostgreSQL before 17 uses the operating system's locales, since it has none of its
     * own.
     */
    static void create(DataFolder folder, Programs programs, Path home) throws IOException {
        if (Binaries.major(home) >= WITH_BUILTIN_LOCALES) {
            Cluster.create(folder, programs);
            return;
        }
        Path made = folder.newTemporary("cluster");
        List<String> arguments = List.of(
                "--pgdata=" + made,
                "--username=" + ApplicationDatabase.SUPERUSER,
                "--pwfile=" + folder.passwordFile(),
                "--auth-host=scram-sha-256",
                "--auth-local=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--lc-ctype=C.UTF-8");
        programs.run("initdb", INITDB_LIMIT, arguments);
        folder.publish(made, folder.cluster());
    }

    /**
     * A stopped server, with the application's role and database: its data, its programs, and the password of all
     * roles.
     */
    public record Seed(Path cluster, Path programs, String password) {}

    /** Makes a server's data in an empty folder, for tests that start copies of it. */
    public static Seed seed(Path dataDir) {
        UnpackedPostgres.into(dataDir, archive());
        try (DataFolder folder = DataFolder.open(dataDir)) {
            Path home = Binaries.unpacked(folder, archive());
            ServerLog log = new ServerLog(folder.log());
            Programs programs = new Programs(home, log);
            String password = folder.password();
            create(folder, programs, home);
            new TemporaryServer(folder, folder.cluster(), programs, log).use(password, ready -> {});
            return new Seed(folder.cluster(), home.resolve("bin"), password);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
