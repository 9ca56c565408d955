package dev.vestibule.database.backup;

import dev.vestibule.database.backup.Manifest.Migration;
import dev.vestibule.database.backup.Manifest.Sequence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** What the database's own catalog says about our schema, so that a table from a new migration cannot be forgotten. */
final class Schema {
    static final String HISTORY = "schema_history";

    /** The name of the history until a restore is complete: no server starts on a schema without a history. */
    static final String UNFINISHED_HISTORY = "restore_history";

    /**
     * Transient data: the names of running nodes, and changes that running nodes have yet to read, which are numbered
     * by the transactions of one PostgreSQL installation. Migrations write the history themselves.
     */
    private static final Set<String> NOT_BACKED_UP =
            Set.of("nodes", "node_reports", "project_changes", HISTORY, UNFINISHED_HISTORY);

    private static final String OURS = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

    private final Connection connection;

    Schema(Connection connection) {
        this.connection = connection;
    }

    /** A table with its columns, except generated ones. */
    record Table(String name, List<String> columns) {
        String copy() {
            return "COPY " + quote(name) + " ("
                    + String.join(", ", columns.stream().map(Schema::quote).toList()) + ")";
        }
    }

    private static final String TABLES = """
            SELECT relname, array_agg(attname::text ORDER BY attnum) FILTER (WHERE attgenerated = '')
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
            WHERE relnamespace = %s AND relkind = 'r'
            GROUP BY relname
            ORDER BY relname
            """.formatted(OURS);

    /** The tables with rows to back up; for a partitioned table, its partitions. */
    List<Table> tables() throws SQLException {
        return list(
                        TABLES,
                        row -> new Table(row.getString(1), List.of((String[])
                                row.getArray(2).getArray())))
                .stream()
                .filter(table -> !NOT_BACKED_UP.contains(table.name()))
                .toList();
    }

    private static final String SEQUENCES = """
            SELECT relname FROM pg_class WHERE relnamespace = %s AND relkind = 'S' ORDER BY relname
            """.formatted(OURS);

    List<Sequence> sequences() throws SQLException {
        var sequences = new ArrayList<Sequence>();
        for (var name : list(SEQUENCES, row -> row.getString(1))) {
            sequences.addAll(list(
                    "SELECT last_value, is_called FROM " + quote(name),
                    row -> new Sequence(name, row.getLong(1), row.getBoolean(2))));
        }
        return sequences;
    }

    private static final String MIGRATIONS = """
            SELECT script, checksum FROM schema_history WHERE version IS NOT NULL AND success ORDER BY installed_rank
            """;

    List<Migration> migrations() throws SQLException {
        return list(MIGRATIONS, row -> new Migration(row.getString(1), row.getInt(2)));
    }

    private static final String HAS = """
            SELECT FROM pg_class WHERE relnamespace = %s AND relname = '%%s'
            """.formatted(OURS);

    boolean has(String table) throws SQLException {
        return !list(HAS.formatted(table), row -> true).isEmpty();
    }

    /** Ignores objects of extensions, which may already exist. */
    private static final String ANYTHING = """
            SELECT relname FROM pg_class
            WHERE relnamespace = %1$s AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
              AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
            UNION ALL
            SELECT proname FROM pg_proc
            WHERE pronamespace = %1$s
              AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
            LIMIT 1
            """.formatted(OURS);

    boolean isEmpty() throws SQLException {
        return list(ANYTHING, row -> row.getString(1)).isEmpty();
    }

    /** How to drop an object, and how to create it again as it was. */
    record Part(String drop, List<String> create) {}

    private static final String INDEXES = """
            SELECT format('DROP INDEX %%s', indexrelid::regclass),
                   ARRAY[pg_get_indexdef(indexrelid)]
                   || ARRAY(SELECT format('ALTER INDEX %%s ALTER COLUMN %%s SET STATISTICS %%s',
                                          indexrelid::regclass, attnum, attstattarget)
                            FROM pg_attribute WHERE attrelid = indexrelid AND attstattarget >= 0)
                   || ARRAY(SELECT format('COMMENT ON INDEX %%s IS %%L', indexrelid::regclass, description)
                            FROM pg_description
                            WHERE objoid = indexrelid AND classoid = 'pg_class'::regclass AND objsubid = 0)
            FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
            WHERE relnamespace = %s AND NOT relname = ANY (?)
              AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
              AND NOT EXISTS (
                  SELECT FROM pg_class AS index WHERE oid = indexrelid AND (relispartition OR relkind <> 'i'))
            ORDER BY indexrelid
            """.formatted(OURS);

    /**
     * All indexes that no constraint needs, except those of partitioned tables, which tie together the indexes of the
     * partitions.
     */
    List<Part> indexes() throws SQLException {
        return parts(INDEXES);
    }

    private static final String FOREIGN_KEYS = """
            SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname),
                   ARRAY[format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
                                conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))]
                   || ARRAY(SELECT format('COMMENT ON CONSTRAINT %%I ON %%s IS %%L',
                                          conname, conrelid::regclass, description)
                            FROM pg_description
                            WHERE objoid = pg_constraint.oid AND classoid = 'pg_constraint'::regclass)
            FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
            WHERE relnamespace = %s AND contype = 'f' AND NOT relname = ANY (?)
            ORDER BY pg_constraint.oid
            """.formatted(OURS);

    List<Part> foreignKeys() throws SQLException {
        return parts(FOREIGN_KEYS);
    }

    private List<Part> parts(String sql) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("text", NOT_BACKED_UP.toArray()));
            try (var rows = statement.executeQuery()) {
                var parts = new ArrayList<Part>();
                while (rows.next()) {
                    parts.add(new Part(rows.getString(1), List.of((String[])
                            rows.getArray(2).getArray())));
                }
                return parts;
            }
        }
    }

    CopyManager copies() throws SQLException {
        return new CopyManager(connection.unwrap(BaseConnection.class));
    }

    /** Quotes an SQL identifier. */
    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    <T> T single(String sql, Reader<T> reader) throws SQLException {
        return list(sql, reader).get(0);
    }

    private <T> List<T> list(String sql, Reader<T> reader) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var list = new ArrayList<T>();
            while (rows.next()) {
                list.add(reader.read(rows));
            }
            return list;
        }
    }

    /** Reads one row. */
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }
}
