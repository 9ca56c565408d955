package dev.vestibule.journal.audit;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;

/** Creates and drops the partitions of the log through database functions. */
final class AuditPartitionStore {
    private static final String CREATE_MONTHS = """
            SELECT make_audit_log_months($1)
            """;

    /** Creates the partitions of the current month and the next three that are missing. */
    Future<Void> createMonths(SqlClient db, Instant now) {
        return Sql.run(db, CREATE_MONTHS, now).mapEmpty();
    }

    private static final String DROP_OLDEST = """
            SELECT drop_audit_log_partition($1) AS name
            """;

    /** Drops the oldest partition if all of its entries are older, and returns its name. */
    Future<Optional<String>> dropOldest(SqlClient db, Instant before) {
        return Sql.run(db, DROP_OLDEST, before)
                .map(rows -> Rows.single(rows, row -> Optional.ofNullable(row.getString("name"))));
    }
}
