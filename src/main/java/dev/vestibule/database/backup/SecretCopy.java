package dev.vestibule.database.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Copies the file with the master secret of an embedded server: to a file next to a backup, which is worth little
 * without it, and from there into the folder of a restored server. Only its owner can read the copy.
 */
public final class SecretCopy {
    private SecretCopy() {}

    /** The file with the secret of a backup. */
    public static Path pathFor(Path backup) {
        return backup.resolveSibling(backup.getFileName() + ".secret");
    }

    /**
     * Copies the file, unless the target already has the same secret.
     *
     * @throws BackupException if the target has another secret, which is never overwritten
     */
    public static void write(Path from, Path to) {
        try {
            var secret = Files.readString(from, StandardCharsets.US_ASCII);
            if (!Files.exists(to)) {
                create(to, secret);
            } else if (!Files.readString(to, StandardCharsets.US_ASCII).strip().equals(secret.strip())) {
                throw new BackupException(to + " holds another secret than " + from + ": move it away first");
            }
        } catch (IOException failure) {
            throw new BackupException("The secret in " + from + " cannot be copied to " + to + ": " + failure, failure);
        }
    }

    private static void create(Path file, String secret) throws IOException {
        var folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Files.createDirectories(folder);
        var unfinished = Files.createTempFile(
                folder,
                file.getFileName() + ".",
                ".part",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (var channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
                var bytes = ByteBuffer.wrap(secret.getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            try (var directory = FileChannel.open(folder)) {
                directory.force(true);
            }
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
