package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of projects with columns that are sealed under the master secret. Each sealed value begins with its prefix.
 */
public final class SealedTable {
    private static final String PREFIX = "substring(%s FROM 1 FOR 5)";

    private final String name;
    private final List<String> key;
    private final List<String> columns;
    private final String wholeKey;

    private SealedTable(String name, List<String> key, List<String> columns) {
        this.name = name;
        this.key = List.copyOf(key);
        this.columns = List.copyOf(columns);
        this.wholeKey = key.isEmpty() ? "project_id" : "project_id, " + String.join(", ", key);
    }

    /**
     * The table with these columns.
     *
     * @param key its primary key without the project
     * @param columns the sealed ones, which may be null
     */
    public static SealedTable of(String name, List<String> key, List<String> columns) {
        return new SealedTable(name, key, columns);
    }

    public String name() {
        return name;
    }

    /** The columns of the primary key without the project. */
    public List<String> key() {
        return key;
    }

    public List<String> columns() {
        return columns;
    }

    /** Rows that are sealed with one of these prefixes, in the order of keys, from the first one on. */
    public Future<RowSet<Row>> find(SqlClient db, Buffer[] prefixes, int limit) {
        return Sql.run(db, find(""), prefixes, limit);
    }

    /** The next of these rows, after the one with the given key, which begins with the project. */
    public Future<RowSet<Row>> findNext(SqlClient db, Buffer[] prefixes, int limit, Tuple after) {
        var values = Tuple.of(prefixes, limit);
        IntStream.range(0, after.size()).forEach(at -> values.addValue(after.getValue(at)));
        return db.preparedQuery(findNext()).execute(values);
    }

    private String findNext() {
        var last = IntStream.rangeClosed(3, 3 + key.size()).mapToObj(number -> "$" + number);
        return find("AND (" + wholeKey + ") > (" + last.collect(Collectors.joining(", ")) + ")");
    }

    private String find(String from) {
        var outdated = columns.stream()
                .map(column -> "(" + column + " IS NOT NULL AND " + PREFIX.formatted(column) + " = ANY ($1::bytea[]))")
                .collect(Collectors.joining(" OR "));
        return """
                SELECT %1$s, %2$s FROM %3$s
                WHERE (%4$s) %5$s
                ORDER BY %1$s
                LIMIT $2
                """.formatted(wholeKey, String.join(", ", columns), name, outdated, from);
    }

    /**
     * Replaces the sealed values of a row, unless they have changed.
     *
     * @param values the project, the rest of the key, the new values and the old ones
     */
    public Future<Void> replace(SqlClient db, Tuple values) {
        var firstNew = 2 + key.size();
        var unchanged = numbered(columns, " IS NOT DISTINCT FROM ", firstNew + columns.size(), " AND ");
        var sql = """
                UPDATE %s SET %s
                WHERE project_id = $1 AND %s
                """.formatted(
                        name,
                        numbered(columns, " = ", firstNew, ", "),
                        key.isEmpty() ? unchanged : numbered(key, " = ", 2, " AND ") + " AND " + unchanged);
        return db.preparedQuery(sql).execute(values).mapEmpty();
    }

    private static String numbered(List<String> columns, String comparison, int first, String between) {
        return IntStream.range(0, columns.size())
                .mapToObj(at -> columns.get(at) + comparison + "$" + (first + at))
                .collect(Collectors.joining(between));
    }

    /** The prefixes of all values of the table. */
    public Future<List<Buffer>> prefixes(SqlClient db) {
        var sql = columns.stream()
                .map(column -> "SELECT " + PREFIX.formatted(column) + " AS prefix FROM " + name + " WHERE " + column
                        + " IS NOT NULL")
                .collect(Collectors.joining(" UNION "));
        return db.query(sql).execute().map(rows -> Rows.all(rows, row -> row.getBuffer("prefix")));
    }

    @Override
    public String toString() {
        return findNext();
    }
}
