package dev.vestibule.mail;

import io.vertx.ext.mail.mailencoder.MailEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The latest mails as files that only their owner can read, in the format that mail programs open (RFC 5322). */
final class MailFolder {
    private static final String ENDING = ".eml";

    private final Path folder;
    private final int limit;

    /** Keeps at most {@code limit} files. */
    MailFolder(Path folder, int limit) {
        this.folder = folder;
        this.limit = limit;
    }

    /** Writes the mail, and returns the file; empty if no files are kept. */
    Optional<Path> keep(Mail mail, String from) throws IOException {
        if (limit == 0) {
            return Optional.empty();
        }
        Files.createDirectories(folder);
        var file = folder.resolve(mail.id() + ENDING); // ids are ordered by time
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var text = new MailEncoder(MimeMessage.of(mail, from), MimeMessage.domain(from)).encode();
        Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
        for (var old : oldest()) {
            Files.deleteIfExists(old);
        }
        return Optional.of(file);
    }

    private List<Path> oldest() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted(Comparator.reverseOrder())
                    .skip(limit)
                    .toList();
        }
    }
}
