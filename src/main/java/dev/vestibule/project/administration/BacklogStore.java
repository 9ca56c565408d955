package dev.vestibule.project.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits in the outboxes of all projects together. Each count ends at 100,000, so that a flood does not make
 * it slow.
 */
final class BacklogStore {
    /**
     * What waits to be sent.
     *
     * @param retrying those that are being sent, or of which an attempt has failed
     * @param oldestAt since when the oldest has waited; null if there is none
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Backlog(long waiting, long retrying, @Nullable Instant oldestAt) {
        static final Backlog NOTHING = new Backlog(0, 0, null);

        Backlog plus(Backlog other) {
            var oldest = Stream.of(Optional.ofNullable(oldestAt), Optional.ofNullable(other.oldestAt))
                    .flatMap(Optional::stream)
                    .min(Comparator.naturalOrder())
                    .orElse(null);
            return new Backlog(waiting + other.waiting, retrying + other.retrying, oldest);
        }
    }

    private static final String MESSAGES = """
            SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS retrying, min(created_at) AS oldest_at
            FROM (SELECT attempts, created_at FROM messages WHERE queue = ANY ($1) LIMIT 100000) AS counted
            """;

    Future<Backlog> mails(SqlClient db) {
        return Sql.run(db, MESSAGES, (Object) new String[] {"codes", "notices"}).map(BacklogStore::backlog);
    }

    Future<Backlog> sms(SqlClient db) {
        return Sql.run(db, MESSAGES, (Object) new String[] {"sms"}).map(BacklogStore::backlog);
    }

    /** Goes from endpoint to endpoint, since the log of deliveries is large and its index begins with them. */
    private static final String DELIVERIES = """
            SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS retrying, min(created_at) AS oldest_at
            FROM (SELECT due.attempts, due.created_at
                  FROM webhooks CROSS JOIN LATERAL (
                      SELECT attempts, created_at
                      FROM webhook_deliveries
                      WHERE project_id = webhooks.project_id AND webhook_id = webhooks.id
                        AND next_attempt_at IS NOT NULL
                      LIMIT 100000) AS due
                  LIMIT 100000) AS counted
            """;

    Future<Backlog> deliveries(SqlClient db) {
        return Sql.run(db, DELIVERIES).map(BacklogStore::backlog);
    }

    private static Backlog backlog(RowSet<Row> rows) {
        return Rows.single(
                rows,
                row -> new Backlog(
                        row.getLong("waiting"), row.getLong("retrying"), Rows.optionalInstant(row, "oldest_at")));
    }

    private static final String VERSION = """
            SELECT current_setting('server_version') AS version
            """;

    /** The version of PostgreSQL. */
    Future<String> databaseVersion(SqlClient db) {
        return Sql.run(db, VERSION).map(rows -> Rows.single(rows, row -> row.getString("version")));
    }
}
