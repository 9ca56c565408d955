package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts, finds and stops PostgreSQL's main process. */
final class PostgresProcess {
    static final String PID_FILE = "postmaster.pid";
    private static final Logger LOG = LoggerFactory.getLogger(PostgresProcess.class);
    /**
     * Long because it includes the recovery after a crash; a server that dies while it starts is noticed immediately.
     */
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private static final Duration LEFTOVER_LIMIT = Duration.ofSeconds(30);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);
    private static final Duration KILL_POLL = Duration.ofMillis(10);
    private static final Duration IMMEDIATE_LIMIT = Duration.ofSeconds(2);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final int ATTEMPTS = 20;

    /** Passed at each start, so that a folder created by an older release runs with the settings of this one. */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses=" + ApplicationDatabase.HOST,
            "unix_socket_directories=", // a path in the data folder may be longer than a socket's 107 bytes
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "shared_buffers=128MB",
            "timezone=UTC",
            "log_timezone=UTC",
            "log_line_prefix=%b/",
            "log_error_verbosity=terse", // details contain values of rows
            "log_min_error_statement=panic"); // so do statements

    private final DataFolder folder;
    private final Path cluster;
    private final Programs programs;
    private final ServerLog serverLog;
    private final Path pidFile;
    private final int maxConnections;

    PostgresProcess(DataFolder folder, Programs programs, ServerLog serverLog, int maxConnections) {
        this(folder, folder.cluster(), programs, serverLog, maxConnections);
    }

    /** The process of a database whose folder has another name while it is filled. */
    PostgresProcess(DataFolder folder, Path cluster, Programs programs, ServerLog serverLog, int maxConnections) {
        this.folder = folder;
        this.cluster = cluster;
        this.programs = programs;
        this.serverLog = serverLog;
        this.maxConnections = maxConnections;
        this.pidFile = cluster.resolve(PID_FILE);
    }

    /**
     * Waits until the server accepts connections and returns its port; retries a start that fails for a transient
     * reason.
     */
    int start(IntSupplier ports) throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = ports.getAsInt();
            try {
                String settings =
                        "-p " + port + " -c max_connections=" + maxConnections + " -c " + String.join(" -c ", SETTINGS);
                List<String> how = List.of("-l", serverLog.file().toString(), "-o", settings);
                pgCtl("start", START_LIMIT, how);
                return port;
            } catch (EmbeddedServerException e) {
                if (attempt == ATTEMPTS || !isTransient(e)) {
                    throw e;
                }
                LOG.info("Trying again: {}", e.getMessage());
                LockSupport.parkNanos(RETRY_PAUSE.toNanos());
                clearLeftovers();
            }
        }
    }

    /** Whether another process has just taken the port, or the memory of a dead server is not released yet. */
    private static boolean isTransient(EmbeddedServerException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("could not create any TCP/IP sockets")
                || message.contains("pre-existing shared memory block")
                || message.contains("already exists");
    }

    boolean isRunning() throws IOException {
        return process().isPresent();
    }

    /** Whether the server stopped because it was asked to: only then does it remove its pid file. */
    boolean wasAskedToStop() {
        return !Files.exists(pidFile);
    }

    /**
     * Stops in fast mode, and if that takes too long in immediate mode, which only costs a recovery at the next start.
     */
    void stop(Duration limit) {
        try {
            if (isRunning()) {
                pgCtl("stop", limit, List.of("-m", "fast"));
            }
        } catch (IOException | EmbeddedServerException e) {
            LOG.warn("PostgreSQL does not stop in fast mode, stopping it in immediate mode: {}", e.getMessage());
            stopImmediately();
        }
        serverLog.forward();
    }

    private void stopImmediately() {
        try {
            pgCtl("stop", IMMEDIATE_LIMIT, List.of("-m", "immediate"));
        } catch (EmbeddedServerException e) {
            LOG.error("PostgreSQL on {} still runs, the next start will end it: {}", cluster, e.getMessage());
        }
    }

    void forwardLog() {
        serverLog.forward();
    }

    private void pgCtl(String action, Duration limit, List<String> how) {
        List<String> arguments = new ArrayList<>(
                List.of(action, "-D", cluster.toString(), "-s", "-w", "-t", String.valueOf(limit.toSeconds())));
        arguments.addAll(how);
        programs.run("pg_ctl", limit.plusSeconds(1), arguments);
    }

    /**
     * Ends what an earlier process of ours left running when it was killed. We hold the folder's lock, so everything
     * that runs from its binaries is a leftover. A server that still runs is stopped (0.1 s) and not reused, because it
     * may be another release with other settings. Its child processes can outlive it while they compute, and PostgreSQL
     * does not start while they run.
     */
    void clearLeftovers() throws IOException {
        if (isRunning()) {
            LOG.warn("Stopping the PostgreSQL that an earlier run has left on {}", cluster);
            stop(LEFTOVER_LIMIT);
        }
        kill(ProcessHandle.allProcesses().filter(this::isOurs).toList());
        // PostgreSQL recognizes the pid of a dead process by its shared memory, but mistakes an unrelated process with
        // that pid, a zombie or an empty file for a running server.
        Optional<Long> pid = pid();
        if (Files.exists(pidFile)
                && (pid.isEmpty() || ProcessHandle.of(pid.get()).isPresent())) {
            LOG.info("Removing {}: no PostgreSQL of ours has that number", pidFile);
            Files.delete(pidFile);
        }
    }

    private void kill(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
        long deadlineNanos = System.nanoTime() + KILL_LIMIT.toNanos();
        while (processes.stream().anyMatch(this::isOurs) && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(KILL_POLL.toNanos());
        }
    }

    private Optional<ProcessHandle> process() throws IOException {
        return pid().flatMap(ProcessHandle::of).filter(this::isOurs);
    }

    /** Identified by its program, because the pid may have been reused; the program of a zombie is unknown. */
    private boolean isOurs(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> Path.of(command).startsWith(folder.binaries()))
                .isPresent();
    }

    private Optional<Long> pid() throws IOException {
        try {
            return Files.readString(pidFile)
                    .lines()
                    .findFirst()
                    .map(String::strip)
                    .map(Long::valueOf);
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
