package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the data of an older PostgreSQL to the one of this jar. Everything is written to temporary folders, which the
 * next start deletes, until the new database is complete; then it replaces the older one, which is kept. So after a
 * crash there is always one complete database.
 */
final class Upgrade {
    private static final Logger LOG = LoggerFactory.getLogger(Upgrade.class);

    private Upgrade() {}

    /** Does nothing if the database has the major version of the given programs. */
    static void ifOlder(DataFolder folder, Path home, ServerLog serverLog, Transfer transfer) throws IOException {
        int from = folder.major();
        int to = Binaries.major(home);
        if (from > to) {
            throw new EmbeddedServerException("The database in " + folder.cluster() + " is of PostgreSQL " + from
                    + ", and this release has PostgreSQL " + to + ": start the newer release, or restore a backup");
        }
        if (from < to) {
            run(folder, home, serverLog, transfer);
        }
    }

    private static void run(DataFolder folder, Path home, ServerLog serverLog, Transfer transfer) throws IOException {
        int from = folder.major();
        Optional<Path> olderHome = Binaries.findUnpacked(folder, from);
        if (olderHome.isEmpty()) {
            throw new EmbeddedServerException("The database in " + folder.cluster() + " is of PostgreSQL " + from
                    + ", whose programs are not in " + folder.binaries() + " any more: start the release that last ran"
                    + " on it once, and then this one; or write a backup with that one, and restore it with this one");
        }
        LOG.info(
                "The database in {} is of PostgreSQL {}; its data is moved to PostgreSQL {}, which may take minutes. If"
                        + " it is interrupted, nothing is lost, and the next start begins again",
                folder.cluster(),
                from,
                Binaries.major(home));
        try {
            Path kept = folder.replaceCluster(move(folder, olderHome.get(), home, serverLog, transfer), from);
            LOG.info("The data is moved. The older database is kept in {}, which you can delete", kept);
        } catch (RuntimeException e) {
            throw new EmbeddedServerException(
                    "The data could not be moved to PostgreSQL " + Binaries.major(home) + ", and is as it was: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Builds the complete new database in a temporary folder. */
    private static Path move(DataFolder folder, Path olderHome, Path home, ServerLog serverLog, Transfer transfer)
            throws IOException {
        String password = folder.password();
        Path file = folder.newTemporary("upgrade").resolve("data");
        new TemporaryServer(folder, folder.cluster(), new Programs(olderHome, serverLog), serverLog)
                .use(password, address -> transfer.save(address, file));
        Programs programs = new Programs(home, serverLog);
        Path made = Cluster.make(folder, programs);
        new TemporaryServer(folder, made, programs, serverLog).use(password, address -> transfer.load(file, address));
        Files.delete(file);
        return made;
    }
}
