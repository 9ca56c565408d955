package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Finds the PostgreSQL that another process of ours runs on a data folder. */
public final class RunningServer {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    // Lines of postmaster.pid, which PostgreSQL's own pg_ctl reads too.
    private static final int PORT_LINE = 3;
    private static final int STATUS_LINE = 7;
    private static final String READY = "ready";

    private RunningServer() {}

    /** Waits for a server that is still starting. Another process must hold the folder's lock. */
    public static Address find(Path dataDir) {
        long deadlineNanos = System.nanoTime() + READY_LIMIT.toNanos();
        Path pidFile = dataDir.resolve(DataFolder.CLUSTER).resolve(PostgresProcess.PID_FILE);
        Path passwordFile = dataDir.resolve(DataFolder.PASSWORD);
        try {
            while (true) {
                Optional<Integer> port = port(pidFile);
                if (port.isPresent()) {
                    return ApplicationDatabase.address(
                            port.get(), Files.readString(passwordFile).strip());
                }
                if (System.nanoTime() > deadlineNanos) {
                    throw new EmbeddedServerException("A server uses the data folder " + dataDir
                            + ", but its PostgreSQL is not ready: wait until it is, or stop the server");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("The data folder " + dataDir + " cannot be read: " + e, e);
        }
    }

    private static Optional<Integer> port(Path pidFile) throws IOException {
        try {
            List<String> lines = Files.readAllLines(pidFile);
            return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals(READY)
                    ? Optional.of(Integer.valueOf(lines.get(PORT_LINE).strip()))
                    : Optional.empty();
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
