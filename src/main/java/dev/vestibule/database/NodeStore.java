package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.UUID;

/** The names under which nodes hold claims. A statement that claims inserts the name itself. */
final class NodeStore {
    private static final String RENEW = """
            UPDATE nodes SET seen_at = clock_timestamp() WHERE id = $1
            """;

    /** Shows other nodes that this one is alive. */
    Future<Void> renew(SqlClient db, UUID name) {
        return Sql.run(db, RENEW, name).mapEmpty();
    }

    private static final String END = """
            UPDATE nodes SET seen_at = clock_timestamp() - interval '6 seconds' WHERE id = $1
            """;

    /** Immediately frees everything that is still claimed under the name. */
    Future<Void> end(SqlClient db, UUID name) {
        return Sql.run(db, END, name).mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM nodes WHERE id = $1
            """;

    /** Removes a name that certainly holds nothing: anything it still held would wait until the claim expires. */
    Future<Void> remove(SqlClient db, UUID name) {
        return Sql.run(db, REMOVE, name).mapEmpty();
    }
}
