package dev.vestibule.database.backup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A backup file that was read completely and matches its checksums. */
public final class BackupFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String BYTEA_PREFIX = "\\\\x"; // a backslash, escaped, and an x

    private final ZipFile zip;
    private final Manifest manifest;

    private BackupFile(ZipFile zip, Manifest manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Reads the whole file, and compares it with its checksums.
     *
     * @throws BackupException if it is not a backup, or is incomplete
     */
    public static BackupFile open(Path file, Consumer<String> progress) {
        try {
            var zip = new ZipFile(file.toFile());
            try {
                var backup = new BackupFile(zip, manifest(zip, file));
                backup.check(file, new Progress(progress));
                return backup;
            } catch (IOException | RuntimeException failure) {
                zip.close();
                throw failure;
            }
        } catch (NoSuchFileException missing) {
            throw new BackupException("There is no file " + file, missing);
        } catch (IOException failure) {
            throw new BackupException(file + " cannot be read as a backup: " + failure.getMessage(), failure);
        }
    }

    private static Manifest manifest(ZipFile zip, Path file) throws IOException {
        var entry = zip.getEntry(Manifest.ENTRY);
        if (entry == null) {
            throw new BackupException(file + " is no backup of Vestibule: it has no " + Manifest.ENTRY);
        }
        try (var content = zip.getInputStream(entry)) {
            var bytes = content.readAllBytes();
            var sum = new CRC32();
            sum.update(bytes);
            if (sum.getValue() != entry.getCrc()) {
                throw new BackupException(file + " is damaged: its " + Manifest.ENTRY + " is not what was written");
            }
            return Manifest.decode(bytes);
        }
    }

    private void check(Path file, Progress progress) throws IOException {
        progress.say("Checking %s, of %s: %,d rows", file, manifest.time(), manifest.rows());
        for (var table : manifest.tables()) {
            try (var rows = rows(table)) {
                var digest = new Digest();
                var buffer = new byte[BUFFER_BYTES];
                for (int n = rows.read(buffer); n >= 0; n = rows.read(buffer)) {
                    digest.update(buffer, 0, n);
                }
                if (!digest.sha256().equals(table.sha256()) || digest.rows() != table.rows()) {
                    throw new BackupException(
                            file + " is damaged: the rows of " + table.name() + " are not those that were written");
                }
            }
        }
    }

    public Manifest manifest() {
        return manifest;
    }

    /**
     * The distinct prefixes, of that many bytes, of the values in a bytea column; none if the backup does not have the
     * column.
     */
    public List<byte[]> prefixes(String tableName, String column, int bytes) {
        for (var table : manifest.tables()) {
            var values = table.columns().indexOf(column);
            if (table.name().equals(tableName) && values >= 0) {
                return prefixes(table, values, bytes);
            }
        }
        return List.of();
    }

    private List<byte[]> prefixes(Manifest.Table table, int column, int bytes) {
        try (var text = new BufferedReader(new InputStreamReader(rows(table), StandardCharsets.UTF_8))) {
            return text.lines()
                    .map(line -> line.split("\t", -1)[column]) // COPY escapes a tab inside a value
                    .filter(value -> value.startsWith(BYTEA_PREFIX)) // and not NULL
                    .map(value -> value.substring(BYTEA_PREFIX.length(), BYTEA_PREFIX.length() + 2 * bytes))
                    .distinct()
                    .map(HexFormat.of()::parseHex)
                    .toList();
        } catch (IOException failure) {
            throw new BackupException(zip.getName() + " cannot be read: " + failure.getMessage(), failure);
        }
    }

    InputStream rows(Manifest.Table table) throws IOException {
        ZipEntry entry = zip.getEntry(Manifest.Table.entry(table.name()));
        if (entry == null) {
            throw new BackupException(zip.getName() + " is damaged: the rows of " + table.name() + " are missing");
        }
        return zip.getInputStream(entry);
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException failure) {
            throw new BackupException(zip.getName() + " cannot be closed", failure);
        }
    }
}
