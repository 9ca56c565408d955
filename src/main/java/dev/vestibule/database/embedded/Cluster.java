package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the database folder: at the first start, for a restore, and for a new major version. */
final class Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);

    private Cluster() {}

    /**
     * Creates the folder under a temporary name and renames it. So a folder with the final name is always complete, and
     * one with a temporary name, which no server has served yet, can be deleted. A folder that we did not create is
     * never touched.
     */
    static void create(DataFolder folder, Programs programs) throws IOException {
        checkIsFree(folder);
        folder.publish(make(folder, programs), folder.cluster());
    }

    static void checkIsFree(DataFolder folder) throws IOException {
        if (Files.exists(folder.cluster()) && !isEmpty(folder.cluster())) {
            throw new EmbeddedServerException(folder.cluster() + " holds files but is no PostgreSQL database"
                    + " (PG_VERSION is missing): move it away, or bring the file back from a backup");
        }
    }

    /** A database in a temporary folder, on which a server can run before the folder is published. */
    static Path make(DataFolder folder, Programs programs) throws IOException {
        // pg_trgm asks libc what a letter is, and in libc's C locale é is not one. Old versions of libc lack C.UTF-8.
        try {
            return initdb(folder, programs, "C.UTF-8");
        } catch (EmbeddedServerException e) {
            LOG.warn("Trying again with plain C characters, in which search knows the letters a to z alone", e);
            return initdb(folder, programs, "C");
        }
    }

    private static Path initdb(DataFolder folder, Programs programs, String characters) throws IOException {
        Path made = folder.newTemporary("cluster");
        List<String> arguments = List.of(
                "--pgdata=" + made,
                "--username=" + ApplicationDatabase.SUPERUSER,
                "--pwfile=" + folder.passwordFile(),
                "--auth-host=scram-sha-256",
                "--auth-local=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--lc-ctype=" + characters,
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions");
        programs.run("initdb", INITDB_LIMIT, arguments);
        return made;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> content = Files.newDirectoryStream(directory)) {
            return !content.iterator().hasNext();
        }
    }
}
