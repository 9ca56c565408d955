package dev.vestibule.oauth.server;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** Clients and APIs that have ended, while there are still grants or consents that depend on them. */
final class EndingStore {
    private static final String NONE_OF = """
            NOT EXISTS (
                SELECT FROM oauth_endings AS ending
                WHERE ending.project_id = %1$s.project_id AND ending.id = ANY (%1$s.depends_on))""";

    /**
     * The condition that a grant or a consent, under this name in a statement, has not ended with what it depends on.
     */
    static String noneOf(String dependent) {
        return NONE_OF.formatted(dependent);
    }

    private static final String DEPENDENCIES = """
            (SELECT client.ends_as || ARRAY(
                SELECT id FROM oauth_resources WHERE project_id = %1$s AND uri = ANY (%3$s) FOR KEY SHARE) AS depends_on
            FROM oauth_clients AS client
            WHERE client.project_id = %1$s AND client.id = %2$s
              AND NOT EXISTS (SELECT FROM oauth_endings WHERE project_id = %1$s AND id = client.ends_as)
            FOR KEY SHARE OF client)""";

    /**
     * A query for what a grant of a client for APIs depends on, which then stays until the end of the transaction;
     * without a row if the client has ended. The arguments are SQL.
     */
    static String dependencies(String project, String client, String uris) {
        return DEPENDENCIES.formatted(project, client, uris);
    }

    private static final String REMOVE = """
            SELECT remove_ended(oldest) AS is_more
            FROM (SELECT * FROM oauth_endings ORDER BY project_id, id LIMIT 1 FOR UPDATE SKIP LOCKED) AS oldest
            """;

    /** Removes what has ended, of all projects, batch by batch; nodes share the work. */
    Future<Void> removeEnded(Database database) {
        return Batches.repeat(() -> removeBatch(database.writes()));
    }

    private static Future<Boolean> removeBatch(SqlClient db) {
        return Sql.run(db, REMOVE).map(rows -> rows.size() == 1 && Rows.single(rows, row -> row.getBoolean("is_more")));
    }
}
