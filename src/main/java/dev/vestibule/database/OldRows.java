package dev.vestibule.database;

import io.vertx.core.Future;
import java.time.Instant;

/** The rows of a table, of all projects, that maintenance removes when their time is over. */
public final class OldRows {
    /** Few enough that no transaction holds locks for long. */
    private static final int BATCH = 1000;

    private final String sql;

    private OldRows(String sql) {
        this.sql = sql;
    }

    /** Rows are old by the time in this column, which needs an index. */
    public static OldRows by(String table, String column) {
        return by(table, column, "true");
    }

    /**
     * Rows are old by the time in this column, if the condition holds too.
     *
     * @param condition SQL, in which {@code $1} is the time up to which rows are removed
     */
    public static OldRows by(String table, String column, String condition) {
        return new OldRows("""
                DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM %1$s
                    WHERE %2$s <= $1 AND %3$s
                    ORDER BY %2$s
                    LIMIT $2
                    FOR UPDATE SKIP LOCKED))
                """.formatted(table, column, condition));
    }

    /** Removes those whose time is no later than this, batch by batch; several nodes may do so at the same time. */
    public Future<Void> remove(Database database, Instant until) {
        return Batches.repeat(
                () -> Sql.run(database.writes(), sql, until, BATCH).map(rows -> rows.rowCount() == BATCH));
    }

    @Override
    public String toString() {
        return sql;
    }
}
