package dev.vestibule.project.transfer;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.crypto.UnknownMasterSecretException;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Imports a project from a file into this server's database, completely or not at all. */
public final class ProjectImport {
    /** A column whose values are sealed under the master secret, and what opens them. */
    public record SealedColumn(String table, String column, Sealer sealer) {}

    private final Connection connection;
    private final ProjectRows rows;
    private final FileSeal seal;

    private final List<SealedColumn> sealed;

    private ProjectImport(Connection connection, MasterKeys masterKeys, List<SealedColumn> sealed) {
        this.connection = connection;
        this.sealed = sealed;
        this.rows = new ProjectRows(connection);
        this.seal = new FileSeal(masterKeys);
    }

    /**
     * Imports the file, and makes the dashboard user the project's owner.
     *
     * @param sealed the columns that the master secrets must open
     * @throws TransferException whose message says why not; nothing is changed then
     */
    public static TransferSummary read(
            Connection connection,
            MasterKeys masterKeys,
            List<SealedColumn> sealed,
            Path file,
            String owner,
            Instant now)
            throws SQLException, IOException {
        try (var zip = new ZipFile(file.toFile())) {
            return new ProjectImport(connection, masterKeys, sealed).read(zip, file, owner, now);
        } catch (NoSuchFileException missing) {
            throw new TransferException("There is no file " + file + ".", missing);
        } catch (ZipException | EOFException torn) {
            throw new TransferException(file + " is not a project file, or is incomplete.", torn);
        }
    }

    private TransferSummary read(ZipFile zip, Path file, String owner, Instant now) throws SQLException, IOException {
        var manifest = manifest(zip, file);
        rows.liftTimeLimits();
        connection.setAutoCommit(false);
        check(manifest);
        for (var table : manifest.tables()) {
            load(zip, table);
        }
        checkSecrets(manifest);
        if (!rows.makeOwner(manifest.project(), owner, now)) {
            throw new TransferException("No dashboard account of this server has the email that --owner names.");
        }
        rows.notifyNodes(manifest.project());
        connection.commit();
        rows.analyze(filled(manifest));
        connection.commit();
        return TransferSummary.of(manifest);
    }

    /** With the tables that triggers fill. */
    private static List<String> filled(Manifest manifest) {
        return Stream.concat(
                        manifest.tables().stream()
                                .filter(table -> table.rows() > 0)
                                .map(Manifest.Table::name),
                        ProjectRows.FILLED_BY_TRIGGERS.stream())
                .toList();
    }

    private Manifest manifest(ZipFile zip, Path file) throws IOException {
        if (zip.getEntry(Manifest.ENTRY) == null || zip.getEntry(FileSeal.ENTRY) == null) {
            throw new TransferException(file + " is not a project file.");
        }
        var json = bytes(zip, Manifest.ENTRY);
        seal.check(bytes(zip, FileSeal.ENTRY), json);
        return Manifest.decode(json);
    }

    private static byte[] bytes(ZipFile zip, String entry) throws IOException {
        try (var content = zip.getInputStream(zip.getEntry(entry))) {
            return content.readAllBytes();
        }
    }

    private void check(Manifest manifest) throws SQLException {
        if (!manifest.migrations().equals(rows.migrations())) {
            throw new TransferException(
                    "The file comes from a server with another schema: run the same release on both, and export again.");
        }
        if (!manifest.tables().stream().map(Manifest.Table::name).toList().equals(ProjectRows.TABLES)) {
            throw new TransferException("The file has different tables than this release imports.");
        }
        var taken = rows.taken(manifest.project(), manifest.slug());
        if (taken.isPresent()) {
            throw new TransferException("This server has a project with the " + taken.get() + " "
                    + (taken.get().equals("id") ? manifest.project() : manifest.slug())
                    + " already. An import creates a new project and never changes an existing one.");
        }
    }

    private void load(ZipFile zip, Manifest.Table table) throws SQLException, IOException {
        if (!List.copyOf(table.columns()).equals(rows.columns(table.name()))) {
            throw new TransferException("The table " + table.name() + " has different columns here.");
        }
        try (var lines = lines(zip, table)) {
            rows.copyIn(table.name(), table.columns(), lines);
            checkIsUnchanged(lines, table);
        } catch (SQLException refused) {
            // PostgreSQL's message about an altered row would not mention the file.
            try (var lines = lines(zip, table)) {
                checkIsUnchanged(lines, table);
            }
            throw refused;
        }
    }

    /**
     * The other server's master secret may have changed, and values that were sealed before are not resealed at once.
     */
    private void checkSecrets(Manifest manifest) throws SQLException {
        try {
            for (var column : sealed) {
                rows.prefixes(column.table(), column.column(), manifest.project())
                        .forEach(column.sealer()::checkIsKnown);
            }
        } catch (UnknownMasterSecretException unknown) {
            throw new TransferException(
                    "Another master secret of the other server is needed too: " + unknown.getMessage(), unknown);
        }
    }

    private static DigestInputStream lines(ZipFile zip, Manifest.Table table) throws IOException {
        return new DigestInputStream(zip.getInputStream(zip.getEntry(table.entry())), Sha256.digest());
    }

    /** Reads the rest of the table, and compares its checksum with the manifest. */
    private static void checkIsUnchanged(DigestInputStream lines, Manifest.Table table) throws IOException {
        lines.transferTo(OutputStream.nullOutputStream());
        if (!HexFormat.of().formatHex(lines.getMessageDigest().digest()).equals(table.sha256())) {
            throw new TransferException("The file was changed after it was written.");
        }
    }
}
