package dev.vestibule.database;

import io.vertx.core.Future;

/** Tables that have grown much since PostgreSQL last analyzed them. */
public final class GrownTables {
    private static final int AT_ONCE = 100; // one that another node analyzes stays for the next time

    private static final String ANALYZE = "SELECT analyze_grown_table()";

    private GrownTables() {}

    /**
     * Analyzes them, so that their statements are planned again. Maintenance calls this every few seconds, and it costs
     * next to nothing while no table has quadrupled; any number of nodes may do so.
     */
    public static Future<Void> analyze(Database database) {
        return analyze(database, AT_ONCE);
    }

    /** One table a statement, so that none waits for another, or ends with it. */
    private static Future<Void> analyze(Database database, int left) {
        return Sql.run(database.writes(), ANALYZE)
                .map(rows -> Rows.single(rows, row -> row.getBoolean("analyze_grown_table")))
                .compose(found -> found && left > 1 ? analyze(database, left - 1) : Future.succeededFuture());
    }
}
