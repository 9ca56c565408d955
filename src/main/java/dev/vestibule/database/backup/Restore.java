package dev.vestibule.database.backup;

import dev.vestibule.database.Migrations;
import dev.vestibule.database.backup.Manifest.Migration;
import dev.vestibule.database.backup.Manifest.Sequence;
import dev.vestibule.database.backup.Manifest.Table;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads a backup into an empty database. Until the last step, the schema's history has a name that no server knows, so
 * that no server starts on incomplete data. The next restore removes what an interrupted one left behind.
 */
public final class Restore {
    private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Pattern AUDIT_LOG_MONTH = Pattern.compile("audit_log_(\\d{4})_(\\d\\d)");

    /** A lock of the whole session. The number has no meaning. */
    private static final String LOCK = "SELECT pg_try_advisory_lock(7305451921060614)";

    private final BackupFile backup;
    private final Login login;
    private final Connection connection;
    private final Schema schema;
    private final Progress progress;

    private Restore(BackupFile backup, Login login, Connection connection, Consumer<String> progress) {
        this.backup = backup;
        this.login = login;
        this.connection = connection;
        this.schema = new Schema(connection);
        this.progress = new Progress(progress);
    }

    /**
     * Fails if the backup's schema is newer than this release.
     *
     * @throws BackupException whose message says which release is needed
     */
    public static void check(Manifest manifest) {
        Map<String, Integer> known = Migrations.inJar();
        var unknown = manifest.migrations().stream()
                .filter(migration -> !known.containsKey(migration.script()))
                .map(Migration::script)
                .toList();
        if (!unknown.isEmpty()) {
            throw new BackupException("This backup was written by Vestibule " + manifest.vestibule() + ", whose schema"
                    + " is newer (" + manifest.schema() + ") than what this release knows ("
                    + Migrations.newest(known.keySet()) + "): restore it with that release or a newer one. Unknown: "
                    + String.join(", ", unknown));
        }
        for (var migration : manifest.migrations()) {
            if (!Integer.valueOf(migration.checksum()).equals(known.get(migration.script()))) {
                throw new BackupException("This backup was written by another build of Vestibule ("
                        + manifest.vestibule() + "): its " + migration.script() + " is not the one of this release");
            }
        }
    }

    /**
     * Loads everything, or nothing.
     *
     * @throws BackupException if the database is not empty, or cannot load the backup; the message says why
     */
    public static void load(BackupFile backup, Login into, Consumer<String> progress) {
        check(backup.manifest());
        try (var connection = into.connect()) {
            new Restore(backup, into, connection, progress).run();
        } catch (SQLException failure) {
            throw new BackupException("The backup cannot be restored: " + failure.getMessage(), failure);
        }
    }

    private void run() throws SQLException {
        if (!schema.single(LOCK, row -> row.getBoolean(1))) {
            throw new BackupException("Another restore into this database is under way");
        }
        removeLeftovers();
        if (!schema.isEmpty()) {
            throw new BackupException("A backup is restored into an empty database, and this one is not: it has tables"
                    + (schema.has(Schema.HISTORY) ? " of Vestibule" : ""));
        }
        try {
            migrate(backup.manifest().schema());
            loadAll();
            migrate("latest");
            complete();
        } catch (SQLException | RuntimeException | IOException failure) {
            tryToCleanUp();
            throw explained(failure);
        }
    }

    private static BackupException explained(Exception failure) {
        return failure instanceof BackupException known
                ? known
                : new BackupException(
                        "The backup cannot be restored, and the database is as empty as before: "
                                + failure.getMessage(),
                        failure);
    }

    /** Only a restore creates a history of that name, and it starts with an empty database. */
    private void removeLeftovers() throws SQLException {
        if (schema.has(Schema.UNFINISHED_HISTORY) && !schema.has(Schema.HISTORY)) {
            progress.say("Removing what a restore that was interrupted has left in the database");
            clean();
        }
    }

    private void tryToCleanUp() {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
            removeLeftovers();
        } catch (SQLException | FlywayException failure) {
            LOG.warn("The next restore will remove what this one leaves in the database: {}", failure.getMessage());
        }
    }

    private void clean() {
        Migrations.clean(login.jdbcUrl(), login.user(), login.password().reveal());
    }

    private void migrate(String version) {
        Migrations.run(login.jdbcUrl(), login.user(), login.password().reveal(), Schema.UNFINISHED_HISTORY, version);
    }

    /**
     * Loads all rows in one transaction. Triggers must not run: the backup includes what they maintain. Indexes are
     * built and references are checked at the end, which is many times faster than row by row, and then the order of
     * the tables does not matter.
     */
    private void loadAll() throws SQLException, IOException {
        connection.setAutoCommit(false);
        schema.run("SET LOCAL maintenance_work_mem = '256MB'");
        createMonths();
        var tables = known();
        var indexes = schema.indexes();
        var foreignKeys = schema.foreignKeys();
        for (var table : schema.tables()) {
            schema.run("ALTER TABLE " + Schema.quote(table.name()) + " DISABLE TRIGGER USER");
        }
        for (var part : foreignKeys) {
            schema.run(part.drop());
        }
        for (var part : indexes) {
            schema.run(part.drop());
        }
        // Empties all tables, since migrations write rows too. Rows that are loaded into a table truncated in the same
        // transaction can be frozen and need no vacuum later.
        schema.run("TRUNCATE "
                + String.join(
                        ", ",
                        schema.tables().stream()
                                .map(table -> Schema.quote(table.name()))
                                .toList()));
        for (var table : tables) {
            load(table);
        }
        create("Building indexes", indexes);
        create("Checking references", foreignKeys);
        for (var table : schema.tables()) {
            schema.run("ALTER TABLE " + Schema.quote(table.name()) + " ENABLE TRIGGER USER");
        }
        setSequences();
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Creates the partitions for the months in the backup; the migrations have created only today's. */
    private void createMonths() throws SQLException {
        for (var table : backup.manifest().tables()) {
            var month = AUDIT_LOG_MONTH.matcher(table.name());
            if (month.matches()) {
                schema.run(
                        "SELECT make_audit_log_month('%s-%s-01T00:00:00Z')".formatted(month.group(1), month.group(2)));
            }
        }
    }

    /** The backup's tables that this schema has. Any other table can only be the operator's own, and is left out. */
    private List<Table> known() throws SQLException {
        var existing = schema.tables().stream()
                .collect(Collectors.toMap(Schema.Table::name, table -> new HashSet<>(table.columns())));
        var known = new ArrayList<Table>();
        for (var table : backup.manifest().tables()) {
            var columns = existing.get(table.name());
            if (columns == null) {
                progress.say("%s: left out, since it is no table of Vestibule", table.name());
            } else if (columns.containsAll(table.columns())) {
                known.add(table);
            } else {
                throw new BackupException("The backup's table " + table.name() + " has columns that are unknown to"
                        + " schema " + backup.manifest().schema() + ": "
                        + table.columns().stream()
                                .filter(column -> !columns.contains(column))
                                .collect(Collectors.joining(", ")));
            }
        }
        return known;
    }

    private void load(Table table) throws SQLException, IOException {
        var sql = new Schema.Table(table.name(), table.columns()).copy() + " FROM STDIN WITH (FREEZE)";
        try (var rows = new RowsInput(table.name(), backup.rows(table))) {
            var loaded = schema.copies().copyIn(sql, rows, BUFFER_BYTES);
            if (loaded != table.rows() || !rows.digest.sha256().equals(table.sha256())) {
                throw new BackupException("The file has changed while it was restored: " + table.name());
            }
        }
        progress.done(table.name(), table.rows());
    }

    /** Reads the rows of a table. */
    private final class RowsInput extends FilterInputStream {
        private final Digest digest = new Digest();
        private final String table;

        private RowsInput(String table, InputStream rows) {
            super(rows);
            this.table = table;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            var n = super.read(bytes, offset, length);
            if (n > 0) {
                digest.update(bytes, offset, n);
                progress.rows(table, digest.rows());
            }
            return n;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }

    private void setSequences() throws SQLException {
        var existing = schema.sequences().stream().map(Sequence::name).toList();
        try (var set = connection.prepareStatement("SELECT setval(?::regclass, ?, ?)")) {
            for (var sequence : backup.manifest().sequences()) {
                if (existing.contains(sequence.name())) {
                    set.setString(1, Schema.quote(sequence.name()));
                    set.setLong(2, sequence.lastValue());
                    set.setBoolean(3, sequence.isCalled());
                    set.execute();
                }
            }
        }
    }

    private void create(String what, List<Schema.Part> parts) throws SQLException {
        progress.say("%s", what);
        for (var part : parts) {
            for (var sql : part.create()) {
                schema.run(sql);
            }
        }
    }

    /** The nodes that held claims no longer exist, and nothing should wait for their claims to expire. */
    private static final String RELEASE_CLAIMS = """
            UPDATE webhook_deliveries SET claimed_until = NULL, claimed_by = NULL WHERE claimed_until IS NOT NULL
            """;

    /** Completes the restore; after its commit, a server can start. */
    private void complete() throws SQLException {
        for (var table : schema.tables()) {
            schema.run("ANALYZE " + Schema.quote(table.name()));
        }
        connection.setAutoCommit(false);
        schema.run(RELEASE_CLAIMS);
        schema.run("ALTER TABLE restore_history RENAME TO schema_history");
        schema.run("ALTER INDEX restore_history_pk RENAME TO schema_history_pk");
        schema.run("ALTER INDEX restore_history_s_idx RENAME TO schema_history_s_idx");
        connection.commit();
        progress.say("Restored: %,d rows", backup.manifest().rows());
    }
}
