package dev.vestibule.mail.sms;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;

/** How many SMS were asked for to a number, from a network and in a project. */
final class SmsBudgetStore {
    /** A window that has passed begins again. Counts under the locks of the rows, so requests at once exceed nothing. */
    private static final String TAKE = """
            INSERT INTO sms_budgets AS kept (project_id, scope, key_hash, window_start, requests)
            SELECT $1::uuid, scope, key_hash, $4::timestamptz, 1
            FROM (VALUES ('number', $2::bytea), ('network', $3::bytea), ('project', ''::bytea)) AS asked (scope, key_hash)
            ON CONFLICT (project_id, scope, key_hash) DO UPDATE
            SET window_start = CASE WHEN kept.window_start <= $5::timestamptz THEN $4::timestamptz ELSE kept.window_start END,
                requests = CASE WHEN kept.window_start <= $5::timestamptz THEN 1 ELSE kept.requests + 1 END
            RETURNING scope, window_start, requests
            """;

    /** The current window of one budget, and the requests in it with this one. */
    record Window(String scope, Instant start, int requests) {}

    Future<List<Window>> take(
            SqlClient transaction, ProjectId project, Buffer number, Buffer network, Instant now, Instant oldest) {
        return transaction
                .preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), number, network, Rows.timestamp(now), Rows.timestamp(oldest)))
                .map(rows -> Rows.all(
                        rows,
                        row -> new Window(
                                row.getString("scope"),
                                Rows.instant(row, "window_start"),
                                row.getInteger("requests"))));
    }

    private static final String PURGE = """
            DELETE FROM sms_budgets WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM sms_budgets
                WHERE window_start <= $1
                ORDER BY window_start
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} rows of all projects whose window is over, and returns how many. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
