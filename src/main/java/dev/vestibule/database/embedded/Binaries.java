package dev.vestibule.database.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.io.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs for this machine, unpacked from the jar. Programs that an earlier release unpacked stay until
 * the data has this release's major version, since no other programs can read the older data.
 */
final class Binaries {
    private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String SEAL = ".size";

    private Binaries() {}

    /** The folder with {@code bin}, {@code lib} and {@code share}; unpacked again if it has changed since. */
    static Path unpacked(DataFolder folder, URL archive) throws IOException {
        Path home = folder.binaries().resolve(identity(archive));
        if (isWhole(home)) {
            return home;
        }
        LOG.info("Unpacking PostgreSQL to {}", home);
        FileUtils.deleteDirectory(home.toFile());
        Path made = folder.newTemporary("binaries");
        unpack(archive, made);
        folder.publish(made, home);
        // The size is written last and compared at each start, to detect files that a power loss has truncated.
        Files.writeString(seal(home), size(home));
        return home;
    }

    private static boolean isWhole(Path home) throws IOException {
        Path seal = seal(home);
        return Files.exists(seal)
                && Files.exists(home)
                && Files.readString(seal).equals(size(home));
    }

    /** The file that holds the total size of the folder. */
    static Path seal(Path home) {
        return home.resolveSibling(home.getFileName() + SEAL);
    }

    /** The programs of a major version that an earlier release unpacked, if they still exist. */
    static Optional<Path> findUnpacked(DataFolder folder, int major) throws IOException {
        for (Path home : homes(folder)) {
            if (isWhole(home) && major(home) == major) {
                return Optional.of(home);
            }
        }
        return Optional.empty();
    }

    /** Deletes the programs that earlier releases unpacked. */
    static void deleteOthers(DataFolder folder, Path home) throws IOException {
        for (Path other : homes(folder)) {
            if (!other.equals(home)) {
                Files.deleteIfExists(seal(other));
                FileUtils.deleteDirectory(other.toFile());
            }
        }
    }

    private static List<Path> homes(DataFolder folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.binaries())) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    /** The major version, from the same file as initdb reads it. */
    static int major(Path home) throws IOException {
        try (Stream<String> lines = Files.lines(home.resolve("share/postgresql/postgres.bki"))) {
            return lines.findFirst()
                    .filter(line -> line.matches("# PostgreSQL \\d+"))
                    .map(line -> Integer.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                    .orElseThrow(() -> new IOException(home + " does not say which PostgreSQL it is"));
        }
    }

    /** An id that changes with the archive. The jar's own checksum saves reading 15 MB at each start. */
    private static String identity(URL archive) throws IOException {
        return archive.openConnection() instanceof JarURLConnection connection
                ? Long.toHexString(connection.getJarEntry().getCrc())
                : Long.toHexString(archive.openConnection().getContentLengthLong());
    }

    private static void unpack(URL archive, Path target) throws IOException {
        try (InputStream packed = new BufferedInputStream(archive.openStream(), BUFFER_BYTES);
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(packed))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.resolveSibling("."));
                    write(entry, tar, path);
                }
            }
        }
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path path) throws IOException {
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, path);
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString((entry.getMode() & 0100) != 0 ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static String size(Path home) throws IOException {
        AtomicLong files = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.incrementAndGet();
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }
        });
        return files + " files, " + bytes + " bytes";
    }
}
