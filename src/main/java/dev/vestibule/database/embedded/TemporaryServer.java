package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** A PostgreSQL that runs for one task, on a database that is not in service. */
final class TemporaryServer {
    static final int CONNECTIONS = 20;
    private static final Duration STOP_LIMIT = Duration.ofMinutes(5); // it may have a lot to write

    private final PostgresProcess postmaster;

    TemporaryServer(DataFolder folder, Path cluster, Programs programs, ServerLog serverLog) {
        this.postmaster = new PostgresProcess(folder, cluster, programs, serverLog, CONNECTIONS);
    }

    /** Everything that the work commits is on disk when this returns. */
    void use(String password, Consumer<Address> work) throws IOException {
        try {
            work.accept(ApplicationDatabase.ensure(postmaster.start(FreePort::find), password));
        } finally {
            postmaster.stop(STOP_LIMIT);
        }
    }
}
