package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How many mails were asked for from a network and in a project, and sent to addresses without an account. */
final class MailBudgetStore {
    /** The current window of a budget, and the mails in it. */
    record Window(String scope, Instant start, int mails) {}

    /**
     * Counts for both under the locks of their rows, or for none: what one network asks for in vain uses up nothing of the
     * project. A window that has passed begins again.
     */
    private static final String TAKE = """
            WITH network AS (
                INSERT INTO mail_budgets AS kept (project_id, scope, key_hash, window_start, mails)
                SELECT $1, $2, $3, $5, 1
                WHERE NOT EXISTS (
                    SELECT FROM mail_budgets
                    WHERE project_id = $1 AND scope = $4 AND key_hash = '' AND window_start > $6 AND mails >= $8)
                ON CONFLICT (project_id, scope, key_hash) DO UPDATE
                SET window_start = CASE WHEN kept.window_start <= $6 THEN excluded.window_start ELSE kept.window_start END,
                    mails = CASE WHEN kept.window_start <= $6 THEN 1 ELSE kept.mails + 1 END
                WHERE kept.window_start <= $6 OR kept.mails < $7
                RETURNING project_id)
            INSERT INTO mail_budgets AS kept (project_id, scope, key_hash, window_start, mails)
            SELECT project_id, $4, '', $5, 1 FROM network
            ON CONFLICT (project_id, scope, key_hash) DO UPDATE
            SET window_start = CASE WHEN kept.window_start <= $6 THEN excluded.window_start ELSE kept.window_start END,
                mails = CASE WHEN kept.window_start <= $6 THEN 1 ELSE kept.mails + 1 END
            WHERE kept.window_start <= $6 OR kept.mails < $8
            RETURNING mails
            """;

    /** The mails of the project with this one; empty where a budget is spent. */
    Future<Optional<Integer>> take(
            SqlClient db,
            ProjectId project,
            CodeTry.Key network,
            String projectScope,
            int perNetwork,
            int perProject,
            Instant now,
            Instant oldest) {
        return db.preparedQuery(TAKE)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    network.scope(),
                    network.hash(),
                    projectScope,
                    Rows.timestamp(now),
                    Rows.timestamp(oldest),
                    perNetwork,
                    perProject
                }))
                .map(rows -> Rows.first(rows, row -> row.getInteger("mails")));
    }

    private static final String TAKE_ONE = """
            INSERT INTO mail_budgets AS kept (project_id, scope, key_hash, window_start, mails)
            VALUES ($1, $2, $3, $4, 1)
            ON CONFLICT (project_id, scope, key_hash) DO UPDATE
            SET window_start = CASE WHEN kept.window_start <= $5 THEN excluded.window_start ELSE kept.window_start END,
                mails = CASE WHEN kept.window_start <= $5 THEN 1 ELSE kept.mails + 1 END
            WHERE kept.window_start <= $5 OR kept.mails < $6
            """;

    /** False where the budget is spent. */
    Future<Boolean> takeOne(SqlClient db, ProjectId project, CodeTry.Key key, int perDay, Instant now, Instant oldest) {
        return db.preparedQuery(TAKE_ONE)
                .execute(Tuple.of(
                        project.value(), key.scope(), key.hash(), Rows.timestamp(now), Rows.timestamp(oldest), perDay))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String FIND = """
            SELECT scope, window_start, mails FROM mail_budgets
            WHERE project_id = $1 AND ((scope = $2 AND key_hash = $3) OR (scope = $4 AND key_hash = ''))
            """;

    Future<List<Window>> find(SqlClient db, ProjectId project, CodeTry.Key network, String projectScope) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value(), network.scope(), network.hash(), projectScope))
                .map(rows -> Rows.all(rows, MailBudgetStore::window));
    }

    private static Window window(Row row) {
        return new Window(row.getString("scope"), Rows.instant(row, "window_start"), row.getInteger("mails"));
    }

    private static final String PURGE = """
            DELETE FROM mail_budgets WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM mail_budgets
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
