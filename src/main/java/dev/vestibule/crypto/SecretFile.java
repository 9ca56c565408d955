package dev.vestibule.crypto;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A secret that is generated once and kept in a file that only its owner can read (mode 0600). */
public final class SecretFile {
    private SecretFile() {}

    /**
     * Reads the secret from the file. If there is no file, generates a secret and writes it to disk before it returns.
     *
     * @throws SecretFileException if the file cannot be read or written, or does not contain a secret; the message says
     *     which
     */
    public static MasterSecret readOrCreate(Path file) {
        try {
            return Files.exists(file) ? read(file) : create(file);
        } catch (IOException failure) {
            throw new SecretFileException(
                    "The master secret in " + file + " cannot be read or created: " + failure, failure);
        }
    }

    private static MasterSecret read(Path file) throws IOException {
        return MasterSecret.fromFile(
                        Files.readString(file, StandardCharsets.ISO_8859_1).strip())
                .orElseThrow(() -> new SecretFileException(
                        "The file " + file
                                + " does not hold a master secret, which is 32 bytes or more in base64: put back"
                                + " the one that the server made, such as from a backup's FILE.secret",
                        null));
    }

    private static MasterSecret create(Path file) throws IOException {
        var secret = Base64.getEncoder().encodeToString(RandomSecrets.bytes(MasterSecret.BYTES));
        var folder = file.toAbsolutePath().getParent();
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var unfinished = Files.createTempFile(
                folder,
                ".secret",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (var channel = FileChannel.open(unfinished, Set.of(StandardOpenOption.WRITE))) {
            channel.write(ByteBuffer.wrap((secret + "\n").getBytes(StandardCharsets.US_ASCII)));
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
        return MasterSecret.fromFile(secret).orElseThrow();
    }

    /** The file with the master secret cannot be used; the message says which file, why, and what to do. */
    public static final class SecretFileException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SecretFileException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
