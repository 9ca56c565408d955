package dev.vestibule.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/** PostgreSQL's programs, unpacked once for all tests that do not test unpacking, which takes three seconds. */
public final class UnpackedPostgres {
    private static final Path SHARED = Path.of("target/postgres/programs");

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final Set<String> UNPACKED = new HashSet<>();

    private UnpackedPostgres() {}

    /** Puts them where a server that starts on this data folder looks for them; tests must not change these files. */
    public static void into(Path dataDir) {
        into(dataDir, Archive.find());
    }

    public static void main(String[] folderAndArchive) throws IOException {
        try (DataFolder folder = DataFolder.open(Path.of(folderAndArchive[0]))) {
            Binaries.unpacked(folder, new URL(folderAndArchive[1]));
        }
    }

    /**
     * As a start does it, in a JVM that also compiles with C2, if it can: the tests' JVM takes 16 seconds of a core.
     */
    static void unpack(Path dataDir, URL archive) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        UnpackedPostgres.class.getName(),
                        dataDir.toString(),
                        archive.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.onExit().join().exitValue() != 0) {
            main(new String[] {dataDir.toString(), archive.toString()});
        }
    }

    static synchronized void into(Path dataDir, URL archive) {
        try {
            if (UNPACKED.add(archive.toString())) {
                unpack(SHARED, archive);
            }
            link(dataDir, archive);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void link(Path dataDir, URL archive) throws IOException {
        try (DataFolder shared = DataFolder.open(SHARED)) {
            Path home = Binaries.unpacked(shared, archive);
            Path binaries = dataDir.resolve(shared.binaries().getFileName());
            Path there = binaries.resolve(home.getFileName());
            if (!Files.exists(there)) {
                Files.createDirectories(binaries, OWNER_ONLY);
                FolderCopy.linked(home, there);
                Files.copy(Binaries.seal(home), Binaries.seal(there));
            }
        }
    }
}
