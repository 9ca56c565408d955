package dev.vestibule.database.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.vestibule.database.embedded.EmbeddedServerException.FolderInUseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The layout of the data folder, which only one process can use at a time. */
final class DataFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    static final String CLUSTER = "postgres";
    static final String PASSWORD = "postgres.password";
    private static final String REPLACEMENT = "postgres.upgraded";
    private static final int PASSWORD_BYTES = 32;

    private final Path root;
    private final FileChannel lock;

    private DataFolder(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /** Creates the folder if it is missing and takes its lock; fails at once if another process holds the lock. */
    static DataFolder open(Path path) throws IOException {
        Files.createDirectories(path, ownerOnly("rwx------"));
        Path root = path.toRealPath();
        // pg_ctl passes the path to a shell in double quotes.
        if (root.toString().matches("(?s).*[\"$`\\\\\\n\\r].*")) {
            throw new EmbeddedServerException(
                    "The data folder must not have a quote, $, ` or \\ or a line break in its path: " + root);
        }
        FileChannel lock =
                FileChannel.open(root.resolve("postgres.lock"), Set.of(CREATE, WRITE), ownerOnly("rw-------"));
        if (!isTaken(lock)) {
            lock.close();
            throw new FolderInUseException("Another running server uses the data folder " + root
                    + ": stop that one, or set dataDir to another folder");
        }
        DataFolder folder = new DataFolder(root, lock);
        FileUtils.deleteQuietly(folder.temporary().toFile());
        return folder;
    }

    private static boolean isTaken(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process itself holds the lock
        }
    }

    /** The folder of the database itself, which must never be deleted. */
    Path cluster() {
        return root.resolve(CLUSTER);
    }

    Path binaries() {
        return root.resolve("postgres-binaries");
    }

    Path log() throws IOException {
        Path log = root.resolve("postgres.log");
        if (!Files.exists(log)) {
            Files.createFile(log, ownerOnly("rw-------"));
        }
        return log;
    }

    Path passwordFile() {
        return root.resolve(PASSWORD);
    }

    private Path temporary() {
        return root.resolve("postgres.tmp");
    }

    /** A new folder for something unfinished; the next start deletes what a crash leaves of it. */
    Path newTemporary(String name) throws IOException {
        Files.createDirectories(temporary(), ownerOnly("rwx------"));
        return Files.createTempDirectory(temporary(), name);
    }

    /** Renames something finished to its final name, atomically and durably. */
    void publish(Path made, Path name) throws IOException {
        Files.createDirectories(parent(name), ownerOnly("rwx------"));
        Files.move(made, name, ATOMIC_MOVE);
        sync(parent(name));
        sync(root);
    }

    /**
     * Replaces the database of an older PostgreSQL, which is kept. Between the two moves there is no database; a start
     * at that point finds the complete new one, and {@link #completeReplacement} moves it.
     *
     * @return where the older database is now
     */
    Path replaceCluster(Path made, int olderMajor) throws IOException {
        Path kept = kept(olderMajor);
        publish(made, replacement());
        publish(cluster(), kept);
        publish(replacement(), cluster());
        return kept;
    }

    /**
     * Completes what a crash has interrupted. While the older database is still in its place, it takes precedence: a
     * server of the previous release may have used it since.
     */
    void completeReplacement() throws IOException {
        if (!Files.exists(replacement())) {
            return;
        }
        if (hasCluster()) {
            LOG.info("Deleting {}, which an interrupted upgrade has left", replacement());
            FileUtils.deleteDirectory(replacement().toFile());
        } else {
            LOG.info("Completing an upgrade that was interrupted");
            publish(replacement(), cluster());
        }
    }

    private Path replacement() {
        return root.resolve(REPLACEMENT);
    }

    /** Whether an interrupted upgrade has left a complete database for the next start. */
    static boolean hasReplacement(Path root) {
        return Files.exists(root.resolve(REPLACEMENT));
    }

    private Path kept(int major) {
        Path kept = root.resolve("postgres-" + major);
        for (int n = 2; Files.exists(kept); n++) {
            kept = root.resolve("postgres-" + major + "-" + n);
        }
        return kept;
    }

    /** The major version of the PostgreSQL that created the database. */
    int major() throws IOException {
        Path file = cluster().resolve("PG_VERSION");
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (NumberFormatException e) {
            throw new EmbeddedServerException(
                    file + " does not hold the version of PostgreSQL: bring it back from a copy" + " of the folder", e);
        }
    }

    boolean hasCluster() {
        return hasCluster(root);
    }

    static boolean hasCluster(Path root) {
        return Files.exists(root.resolve(CLUSTER).resolve("PG_VERSION"));
    }

    /** The password of the superuser and the application; it is on disk before the database that needs it exists. */
    String password() throws IOException {
        if (!Files.exists(passwordFile())) {
            if (hasCluster()) {
                throw new EmbeddedServerException(
                        passwordFile() + " is missing, and nothing else opens the database in " + cluster()
                                + ": bring it back from a backup");
            }
            makePassword();
        }
        return Files.readString(passwordFile()).strip();
    }

    private void makePassword() throws IOException {
        byte[] secret = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(secret);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(secret) + "\n";
        Path made = Files.createTempFile(newTemporary("password"), "password", "", ownerOnly("rw-------"));
        try (FileChannel channel = FileChannel.open(made, WRITE)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(password);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        publish(made, passwordFile());
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("Cannot release the lock on {}", root, e);
        }
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> ownerOnly(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }
}
