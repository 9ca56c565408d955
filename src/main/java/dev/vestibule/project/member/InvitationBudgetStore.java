package dev.vestibule.project.member;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** How many invitations were sent by whom, and to which address. */
final class InvitationBudgetStore {
    /** Counts under the lock of the row, so that invitations at the same time cannot exceed the budget. */
    private static final String TAKE = """
            INSERT INTO invitation_budgets AS kept (project_id, key_hash, window_start, invitations)
            VALUES ($1, $2, $3, 1)
            ON CONFLICT (project_id, key_hash) DO UPDATE
            SET window_start = CASE WHEN kept.window_start <= $4 THEN $3 ELSE kept.window_start END,
                invitations = CASE WHEN kept.window_start <= $4 THEN 1 ELSE kept.invitations + 1 END
            RETURNING window_start, invitations
            """;

    /** The current window, and the invitations in it with this one. */
    record Window(Instant start, int invitations) {}

    /** A window that began before {@code oldest} is over, and a new one begins. */
    Future<Window> take(SqlClient transaction, ProjectId project, Buffer keyHash, Instant now, Instant oldest) {
        return transaction
                .preparedQuery(TAKE)
                .execute(Tuple.of(project.value(), keyHash, Rows.timestamp(now), Rows.timestamp(oldest)))
                .map(rows -> Rows.single(
                        rows, row -> new Window(Rows.instant(row, "window_start"), row.getInteger("invitations"))));
    }

    private static final String PURGE = """
            DELETE FROM invitation_budgets WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM invitation_budgets
                WHERE window_start <= $1
                ORDER BY window_start
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} rows whose window is over, and returns how many. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
