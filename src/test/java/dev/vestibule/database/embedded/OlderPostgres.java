package dev.vestibule.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The PostgreSQL of an earlier release, which Maven puts outside the class path. */
public final class OlderPostgres {
    public static final int MAJOR = 17;
    private static final Path FOLDER = Path.of("target/older-postgres");
    private static final int CONNECTIONS = 50;

    private OlderPostgres() {}

    static URL archive() {
        try (Stream<Path> jars = Files.list(FOLDER)) {
            return TestedPostgres.inJar(jars.findFirst().orElseThrow());
        } catch (IOException missing) {
            throw new UncheckedIOException(FOLDER + " is made by: mvn generate-test-resources", missing);
        }
    }

    /** Starts it as that release did. */
    public static EmbeddedServer start(Path dataDir) {
        UnpackedPostgres.into(dataDir, archive());
        return EmbeddedServer.start(dataDir, CONNECTIONS, archive(), Transfer.REFUSED);
    }
}
