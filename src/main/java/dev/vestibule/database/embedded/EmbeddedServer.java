package dev.vestibule.database.embedded;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server that starts and stops with this process; its data stays. */
public final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final int DEFAULT_CONNECTIONS = 200;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(6);

    private final DataFolder folder;
    private final PostgresProcess postmaster;
    private final Supervisor supervisor;
    private final Address address;

    private EmbeddedServer(DataFolder folder, PostgresProcess postmaster, Address address) {
        this.folder = folder;
        this.postmaster = postmaster;
        this.address = address;
        this.supervisor = new Supervisor(postmaster, address.port());
    }

    /** Whether this jar includes PostgreSQL; the slim jar does not. */
    public static boolean isInJar() {
        return Archive.isInJar();
    }

    /** Whether a folder holds the data of an embedded server. */
    public static boolean hasData(Path dataDir) {
        return DataFolder.hasCluster(dataDir) || DataFolder.hasReplacement(dataDir);
    }

    /** Starts the server with a default number of connections; refuses data of an older PostgreSQL. */
    public static EmbeddedServer start(Path dataDir) {
        return start(dataDir, DEFAULT_CONNECTIONS);
    }

    /** Starts the server with this many connections; refuses data of an older PostgreSQL. */
    public static EmbeddedServer start(Path dataDir, int maxConnections) {
        return start(dataDir, maxConnections, Transfer.REFUSED);
    }

    /**
     * Starts the server on the data in a folder, which is created if it is missing, and waits until it answers.
     *
     * @param transfer moves the data if it has an older major version
     * @throws EmbeddedServerException if it cannot start; the message says why
     */
    public static EmbeddedServer start(Path dataDir, int maxConnections, Transfer transfer) {
        return start(dataDir, maxConnections, Archive.find(), transfer);
    }

    /** Starts the PostgreSQL of an archive, which may be another release. */
    static EmbeddedServer start(Path dataDir, int maxConnections, URL archive, Transfer transfer) {
        try {
            DataFolder folder = DataFolder.open(dataDir);
            try {
                return start(folder, maxConnections, archive, transfer);
            } catch (IOException | RuntimeException | Error e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("The embedded PostgreSQL cannot use the folder " + dataDir + ": " + e, e);
        }
    }

    /**
     * Creates the database of a folder that has none, and fills it. Until that has succeeded, the folder has no
     * database.
     *
     * @throws EmbeddedServerException if there already is one, or it cannot be created; the message says why
     */
    public static void create(Path dataDir, Consumer<Address> fill) {
        try (DataFolder folder = DataFolder.open(dataDir)) {
            folder.completeReplacement();
            if (folder.hasCluster()) {
                throw new EmbeddedServerException(folder.cluster() + " is a database already: name a data folder that"
                        + " has none, or move that one away");
            }
            Cluster.checkIsFree(folder);
            String password = folder.password();
            ServerLog serverLog = new ServerLog(folder.log());
            Programs programs = new Programs(Binaries.unpacked(folder, Archive.find()), serverLog);
            new PostgresProcess(folder, programs, serverLog, TemporaryServer.CONNECTIONS).clearLeftovers();
            Path made = Cluster.make(folder, programs);
            new TemporaryServer(folder, made, programs, serverLog).use(password, fill);
            folder.publish(made, folder.cluster());
        } catch (IOException e) {
            throw new EmbeddedServerException("The embedded PostgreSQL cannot use the folder " + dataDir + ": " + e, e);
        }
    }

    private static EmbeddedServer start(DataFolder folder, int maxConnections, URL archive, Transfer transfer)
            throws IOException {
        long startNanos = System.nanoTime();
        String password = folder.password();
        ServerLog serverLog = new ServerLog(folder.log());
        Path home = Binaries.unpacked(folder, archive);
        Programs programs = new Programs(home, serverLog);
        PostgresProcess postmaster = new PostgresProcess(folder, programs, serverLog, maxConnections);
        postmaster.clearLeftovers();
        folder.completeReplacement();
        if (folder.hasCluster()) {
            Upgrade.ifOlder(folder, home, serverLog, transfer);
        } else {
            Cluster.create(folder, programs);
        }
        Binaries.deleteOthers(folder, home);
        try {
            int port = postmaster.start(FreePort::find);
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
}
