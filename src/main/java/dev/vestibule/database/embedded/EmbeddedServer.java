package dev.vestibule.database.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server that starts and stops with this process; its data stays. */
public final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final int USUAL_CONNECTIONS = 200;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(6);

    private final DataFolder folder;
    private final Postmaster postmaster;
    private final Supervisor supervisor;
    private final Address address;

    private EmbeddedServer(DataFolder folder, Postmaster postmaster, Address address) {
        this.folder = folder;
        this.postmaster = postmaster;
        this.address = address;
        this.supervisor = new Supervisor(postmaster, address.port());
    }

    /** Whether this jar has a PostgreSQL; the slim one has none. */
    public static boolean isInJar() {
        return Archive.isInJar();
    }

    /** Whether a folder holds the data of such a server. */
    public static boolean hasData(Path dataDir) {
        return DataFolder.hasCluster(dataDir);
    }

    /** Starts the server for as many connections as most machines need. */
    public static EmbeddedServer start(Path dataDir) {
        return start(dataDir, USUAL_CONNECTIONS);
    }

    /**
     * Starts the server on the data in a folder, which is created if it is missing, and waits until it answers.
     *
     * @throws EmbeddedServerException if it cannot start; the message says why
     */
    public static EmbeddedServer start(Path dataDir, int maxConnections) {
        try {
            DataFolder folder = DataFolder.open(dataDir);
            try {
                return start(folder, maxConnections);
            } catch (IOException | RuntimeException | Error e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("The embedded PostgreSQL cannot use the folder " + dataDir + ": " + e, e);
        }
    }

    private static EmbeddedServer start(DataFolder folder, int maxConnections) throws IOException {
        long startNanos = System.nanoTime();
        String password = folder.password();
        ServerLog serverLog = new ServerLog(folder.log());
        Programs programs = new Programs(Binaries.unpacked(folder), serverLog);
        Postmaster postmaster = new Postmaster(folder, programs, serverLog, maxConnections);
        postmaster.clearLeftovers();
        if (!folder.hasCluster()) {
            Cluster.create(folder, programs);
        }
        try {
            int port = postmaster.start(EmbeddedServer::freePort);
            Address address = ApplicationDatabase.ensure(port, password);
            EmbeddedServer server = new EmbeddedServer(folder, postmaster, address);
            server.supervisor.start();
            LOG.info(
                    "Embedded PostgreSQL listens on {}:{}, data in {}, started in {} ms",
                    address.host(),
                    port,
                    folder.cluster(),
                    Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
            return server;
        } catch (RuntimeException | Error e) {
            postmaster.stop(STOP_LIMIT);
            throw e;
        }
    }

    public Address address() {
        return address;
    }

    /** Stops the server within about ten seconds and releases the folder; committed data is safe in any case. */
    @Override
    public void close() {
        try {
            supervisor.close();
            postmaster.stop(STOP_LIMIT);
        } finally {
            folder.close();
        }
    }

    /** A port that is free now. If another process takes it before PostgreSQL does, the start is tried again. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedServerException("No free port on " + ApplicationDatabase.HOST, e);
        }
    }
}
