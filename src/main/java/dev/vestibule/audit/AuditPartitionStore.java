package dev.vestibule.audit;

import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;

/** The partitions of the log, by functions of the database. */
final class AuditPartitionStore {
    private static final String MAKE_MONTHS = """
            SELECT make_audit_log_months($1)
            """;

    /** The month of that time and the next three, as far as they are missing. */
    Future<Void> makeMonths(SqlClient db, Instant now) {
        return db.preparedQuery(MAKE_MONTHS)
                .execute(Tuple.of(Rows.timestamp(now)))
                .mapEmpty();
    }

    private static final String DROP_OLDEST = """
            SELECT drop_audit_log_partition($1) AS name
            """;

    /** The name of the partition that was dropped, because all of it is older. */
    Future<Optional<String>> dropOldest(SqlClient db, Instant before) {
        return db.preparedQuery(DROP_OLDEST)
                .execute(Tuple.of(Rows.timestamp(before)))
                .map(rows -> Rows.single(rows, row -> Optional.ofNullable(row.getString("name"))));
    }
}
