package dev.vestibule.database.backup;

import dev.vestibule.database.Migrations;
import dev.vestibule.database.backup.Manifest.Migration;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes everything in a database, as of one moment, into a file. */
public final class Backup {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String UNFINISHED = ".part";

    private static final String ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

    private final Connection connection;
    private final Schema schema;
    private final Progress progress;

    private Backup(Connection connection, Consumer<String> progress) {
        this.connection = connection;
        this.schema = new Schema(connection);
        this.progress = new Progress(progress);
    }

    /**
     * Writes the file, which only its owner can read. It has another name until it is complete and on disk.
     *
     * @throws BackupException if it cannot be written; the message says why
     */
    public static Manifest write(Login database, Path file, Consumer<String> progress) {
        checkIsFree(file);
        try {
            var folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
            reportLeftovers(folder, file.getFileName() + ".", progress);
            var unfinished = Files.createTempFile(
                    folder,
                    file.getFileName() + ".",
                    UNFINISHED,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                var manifest = writeAll(database, unfinished, progress);
                publish(unfinished, file);
                return manifest;
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException failure) {
            throw new BackupException("The backup cannot be written to " + file + ": " + failure, failure);
        } catch (SQLException failure) {
            throw new BackupException("The database cannot be backed up: " + failure.getMessage(), failure);
        }
    }

    /** Fails if the file exists, since no file is ever overwritten, or if its folder does not exist. */
    public static void checkIsFree(Path file) {
        if (Files.exists(file)) {
            throw new BackupException(file + " is there already: name a file that is not, or move that one away");
        }
        var folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!Files.isDirectory(folder)) { // perhaps a volume that is not mounted: the backup would look successful
            throw new BackupException("There is no folder " + folder + ": make it first");
        }
    }

    /** Reports unfinished files. They are not deleted: another backup may be writing one. */
    private static void reportLeftovers(Path folder, String prefix, Consumer<String> progress) throws IOException {
        try (var leftovers = Files.newDirectoryStream(folder, entry -> {
            var name = String.valueOf(entry.getFileName());
            return name.startsWith(prefix) && name.endsWith(UNFINISHED);
        })) {
            leftovers.forEach(leftover -> progress.accept(
                    leftover + " is of a backup that was interrupted, unless another one runs: delete it"));
        }
    }

    private static Manifest writeAll(Login database, Path file, Consumer<String> progress)
            throws SQLException, IOException {
        try (var connection = database.connect();
                var channel = FileChannel.open(file, StandardOpenOption.WRITE);
                var zip = new ZipOutputStream(
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES))) {
            zip.setLevel(Deflater.BEST_SPEED);
            var manifest = new Backup(connection, progress).write(zip);
            zip.finish();
            zip.flush();
            channel.force(true);
            return manifest;
        }
    }

    private static void publish(Path unfinished, Path file) throws IOException {
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        try (var folder =
                FileChannel.open(Objects.requireNonNull(file.toAbsolutePath().getParent()))) {
            folder.force(true);
        }
    }

    private Manifest write(ZipOutputStream zip) throws SQLException, IOException {
        var found = begin();
        var migrations = schema.migrations();
        var time = schema.single("SELECT to_json(now()) #>> '{}'", row -> row.getString(1));
        var tables = new ArrayList<Manifest.Table>();
        for (var table : found) {
            tables.add(write(table, zip));
        }
        var manifest = new Manifest(
                Manifest.FORMAT,
                Optional.ofNullable(Backup.class.getPackage().getImplementationVersion())
                        .orElse("(not packaged)"),
                Migrations.newest(migrations.stream().map(Migration::script).toList()),
                schema.single("SHOW server_version", row -> row.getString(1)),
                time,
                migrations,
                tables,
                schema.sequences()); // snapshots do not cover sequences: read last, so they are not behind the rows
        zip.putNextEntry(new ZipEntry(Manifest.ENTRY));
        zip.write(manifest.encode());
        zip.closeEntry();
        return manifest;
    }

    /**
     * Locks the tables, so that no other transaction can change their columns, and returns them. The first statement
     * other than LOCK fixes the moment of the snapshot.
     */
    private List<Schema.Table> begin() throws SQLException {
        if (!schema.has(Schema.HISTORY)) {
            throw new BackupException("There is nothing to back up: the database holds no data of Vestibule");
        }
        connection.setAutoCommit(false);
        var expected = schema.tables();
        while (true) {
            connection.rollback();
            schema.run(ONE_MOMENT);
            schema.run("LOCK TABLE "
                    + String.join(
                            ", ",
                            expected.stream()
                                    .map(table -> Schema.quote(table.name()))
                                    .toList())
                    + " IN ACCESS SHARE MODE");
            var found = schema.tables();
            if (found.equals(expected)) {
                return found;
            }
            expected = found; // a migration ended just now
        }
    }

    private Manifest.Table write(Schema.Table table, ZipOutputStream zip) throws SQLException, IOException {
        zip.putNextEntry(new ZipEntry(Manifest.Table.entry(table.name())));
        var rows = new RowsOutput(table.name(), zip);
        schema.copies().copyOut(table.copy() + " TO STDOUT", rows);
        zip.closeEntry();
        progress.done(table.name(), rows.digest.rows());
        return new Manifest.Table(table.name(), table.columns(), rows.digest.rows(), rows.digest.sha256());
    }

    /** Writes the rows of a table to an entry. */
    private final class RowsOutput extends OutputStream {
        private final Digest digest = new Digest();
        private final String table;
        private final OutputStream entry;

        private RowsOutput(String table, OutputStream entry) {
            this.table = table;
            this.entry = entry;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            digest.update(bytes, offset, length);
            entry.write(bytes, offset, length);
            progress.rows(table, digest.rows());
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }
    }
}
