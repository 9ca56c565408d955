package dev.vestibule.project.transfer;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes one snapshot of a project to a file; the server can keep running. */
public final class ProjectExport {
    private final ProjectRows rows;
    private final FileSeal seal;

    private ProjectExport(Connection connection, MasterKeys masterKeys) {
        this.rows = new ProjectRows(connection);
        this.seal = new FileSeal(masterKeys);
    }

    /**
     * Writes the file, which must not exist yet, and returns a summary of its contents.
     *
     * @throws TransferException whose message says why not
     */
    public static TransferSummary write(Connection connection, MasterKeys masterKeys, ProjectId project, Path file)
            throws SQLException, IOException {
        var export = new ProjectExport(connection, masterKeys);
        export.rows.liftTimeLimits();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        return export.write(project, file);
    }

    /** The database that home says the project is in: home itself, also for projects that it does not know. */
    public static Shard place(Connection home, ProjectId project) throws SQLException {
        return new PlaceRows(home, Shard.HOME)
                .find(project.value())
                .flatMap(known -> Optional.ofNullable(known.shard()))
                .orElse(Shard.HOME);
    }

    private TransferSummary write(ProjectId project, Path file) throws SQLException, IOException {
        if (project.equals(ProjectId.SYSTEM)) {
            throw new TransferException("The built-in project of dashboard users cannot be exported.");
        }
        var named = rows.find(project.value())
                .orElseThrow(() -> new TransferException("There is no project with the id " + project + "."));
        try (var zip = new ZipOutputStream(create(file))) {
            var tables = new ArrayList<Manifest.Table>();
            for (var table : ProjectRows.TABLES) {
                tables.add(write(table, project, zip));
            }
            var manifest = new Manifest(
                    Manifest.FORMAT, named.id(), named.name(), named.slug(), rows.migrations(), List.copyOf(tables));
            entry(zip, FileSeal.ENTRY, seal.of(manifest.encode()));
            entry(zip, Manifest.ENTRY, manifest.encode());
            return TransferSummary.of(manifest);
        } catch (IOException | SQLException | RuntimeException failure) {
            if (!(failure instanceof TransferException)) {
                Files.deleteIfExists(file);
            }
            throw failure;
        }
    }

    private static OutputStream create(Path file) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        var mode = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try {
            return Channels.newOutputStream(Files.newByteChannel(file, options, mode));
        } catch (FileAlreadyExistsException there) {
            throw new TransferException("There is a file " + file + " already.", there);
        }
    }

    private Manifest.Table write(String name, ProjectId project, ZipOutputStream zip) throws SQLException, IOException {
        var columns = rows.columns(name);
        zip.putNextEntry(new ZipEntry(new Manifest.Table(name, columns, 0, "").entry()));
        var digest = new DigestOutputStream(new NonClosingStream(zip), Sha256.digest());
        var count = rows.copyOut(name, columns, project.value(), digest);
        zip.closeEntry();
        return new Manifest.Table(
                name,
                columns,
                count,
                HexFormat.of().formatHex(digest.getMessageDigest().digest()));
    }

    private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }

    /** Keeps the file open when the writer of one table closes its stream. */
    private static final class NonClosingStream extends FilterOutputStream {
        private NonClosingStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
