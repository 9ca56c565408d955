package dev.vestibule.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** PostgreSQL's programs, unpacked once for all tests that are not about the unpacking, which takes three seconds. */
public final class UnpackedPostgres {
    private static final Path SHARED = Path.of("target/postgres/programs");

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private UnpackedPostgres() {}

    /** Puts them where a server that starts on this data folder looks for them; tests must not change these files. */
    public static void into(Path dataDir) {
        into(dataDir, Archive.find());
    }

    static synchronized void into(Path dataDir, URL archive) {
        try (DataFolder shared = DataFolder.open(SHARED)) {
            Path home = Binaries.unpacked(shared, archive);
            Path binaries = dataDir.resolve(shared.binaries().getFileName());
            Path there = binaries.resolve(home.getFileName());
            if (!Files.exists(there)) {
                Files.createDirectories(binaries, OWNER_ONLY);
                Files.walkFileTree(home, new Linking(home, there));
                Files.copy(Binaries.seal(home), Binaries.seal(there));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static final class Linking extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Path to;

        Linking(Path from, Path to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            Files.createDirectory(
                    to.resolve(from.relativize(folder)),
                    PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(folder)));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Path link = to.resolve(from.relativize(file));
            try {
                Files.createLink(link, file);
            } catch (IOException anotherDisk) {
                Files.copy(file, link, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
