package dev.vestibule.database;

import io.vertx.core.Future;

/** Tables that have grown much since PostgreSQL last analyzed them. */
public final class GrownTables {
    private static final String ANALYZE = "SELECT analyze_grown_tables()";

    private GrownTables() {}

    /**
     * Analyzes them, so that their statements are planned again. Maintenance calls this every few seconds, and it costs
     * next to nothing while no table has quadrupled; any number of nodes may do so.
     */
    public static Future<Void> analyze(Database database) {
        return Sql.run(database.writes(), ANALYZE).mapEmpty();
    }
}
