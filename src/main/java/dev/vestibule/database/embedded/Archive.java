package dev.vestibule.database.embedded;

import java.net.URL;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The packed PostgreSQL in the jar. It is separate from {@link Binaries}, which cannot load in the slim jar: that jar
 * has no libraries for unpacking.
 */
final class Archive {
    private Archive() {}

    /** Whether the jar has a PostgreSQL for any platform. */
    static boolean isInJar() {
        return resource("linux", "x86_64") != null;
    }

    /** The archive for this machine. */
    static URL find() {
        String os = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
        String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        URL archive = resource(os, architecture.equals("aarch64") ? "arm_64" : "x86_64");
        if (archive == null) {
            throw new EmbeddedServerException("There is no embedded PostgreSQL for " + System.getProperty("os.name")
                    + " on " + architecture + ": set database.url to a PostgreSQL of yours");
        }
        return archive;
    }

    private static @Nullable URL resource(String os, String architecture) {
        return Archive.class.getClassLoader().getResource("postgres-" + os + "-" + architecture + ".txz");
    }
}
