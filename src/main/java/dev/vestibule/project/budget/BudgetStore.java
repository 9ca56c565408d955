package dev.vestibule.project.budget;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/** The rows of {@code budgets}. */
final class BudgetStore {
    static final OldRows OLD = OldRows.by("budgets", "window_end");

    /**
     * Counts under the locks of the rows, so that uses at the same time exceed nothing. A window that is over begins
     * again. Rows are locked in the given order, so that none wait in a circle.
     */
    private static final String USE = """
            WITH asked AS (
                SELECT scope, key_hash, most, window_end
                FROM unnest($3::text[], $4::bytea[], $5::integer[], $6::timestamptz[])
                     AS asked (scope, key_hash, most, window_end))
            INSERT INTO budgets AS kept (project_id, kind, scope, key_hash, window_end, used)
            SELECT $1::uuid, $2::text, scope, key_hash, window_end, 1 FROM asked
            WHERE NOT EXISTS (
                SELECT FROM budgets AS spent
                JOIN asked AS of_spent ON spent.scope = of_spent.scope AND spent.key_hash = of_spent.key_hash
                WHERE spent.project_id = $1 AND spent.kind = $2 AND spent.window_end > $7::timestamptz
                  AND spent.used >= of_spent.most)
            ON CONFLICT (project_id, kind, scope, key_hash) DO UPDATE
            SET used = CASE WHEN kept.window_end <= $7 THEN 1 ELSE kept.used + 1 END,
                window_end = CASE WHEN kept.window_end <= $7 THEN excluded.window_end ELSE kept.window_end END
            WHERE kept.window_end <= $7
               OR kept.used < (SELECT most FROM asked WHERE asked.scope = kept.scope AND asked.key_hash = kept.key_hash)
            RETURNING scope, used, window_end
            """;

    /** The uses with this one; fewer than asked for where a budget is spent. */
    Future<List<BudgetUse>> use(SqlClient db, ProjectId project, BudgetKind kind, List<Budget> budgets, Instant now) {
        var keys = budgets.stream().map(Budget::key).toList();
        return Sql.run(
                        db,
                        USE,
                        project,
                        kind.text(),
                        scopes(keys),
                        hashes(keys),
                        budgets.stream().map(Budget::limit).toArray(Integer[]::new),
                        budgets.stream()
                                .map(budget -> Rows.timestamp(now.plus(budget.window())))
                                .toArray(OffsetDateTime[]::new),
                        now)
                .map(rows -> Rows.all(rows, BudgetStore::use));
    }

    private static BudgetUse use(Row row) {
        return new BudgetUse(row.getString("scope"), row.getInteger("used"), Rows.instant(row, "window_end"));
    }

    private static final String GIVE_BACK = """
            UPDATE budgets SET used = used - 1
            WHERE project_id = $1 AND kind = $2 AND used > 0
              AND (scope, key_hash) IN (SELECT scope, key_hash FROM unnest($3::text[], $4::bytea[]) AS given (scope, key_hash))
            """;

    Future<Void> giveBack(SqlClient db, ProjectId project, BudgetKind kind, List<Budget.Key> keys) {
        return Sql.run(db, GIVE_BACK, project, kind.text(), scopes(keys), hashes(keys))
                .mapEmpty();
    }

    private static final String FIND = """
            SELECT scope, used, window_end FROM budgets
            WHERE project_id = $1 AND kind = $2 AND window_end > $5
              AND (scope, key_hash) IN (SELECT scope, key_hash FROM unnest($3::text[], $4::bytea[]) AS asked (scope, key_hash))
            """;

    Future<List<BudgetUse>> find(SqlClient db, ProjectId project, BudgetKind kind, List<Budget.Key> keys, Instant now) {
        return Sql.run(db, FIND, project, kind.text(), scopes(keys), hashes(keys), now)
                .map(rows -> Rows.all(rows, BudgetStore::use));
    }

    private static final String REMOVE = """
            DELETE FROM budgets
            WHERE project_id = $1 AND kind = $2
              AND (scope, key_hash) IN (SELECT scope, key_hash FROM unnest($3::text[], $4::bytea[]) AS gone (scope, key_hash))
            """;

    Future<Void> remove(SqlClient db, ProjectId project, BudgetKind kind, List<Budget.Key> keys) {
        return Sql.run(db, REMOVE, project, kind.text(), scopes(keys), hashes(keys))
                .mapEmpty();
    }

    private static final String REMOVE_ALL = """
            DELETE FROM budgets
            WHERE project_id = $1 AND kind = $2 AND scope = ANY ($3) AND key_hash >= $4
              AND key_hash < $4::bytea || decode(repeat('ff', 64), 'hex')
            """;

    /** Removes all whose hash begins like this, such as those of one account in each of its networks. */
    Future<Void> removeAll(SqlClient db, ProjectId project, BudgetKind kind, List<String> scopes, Buffer hashPrefix) {
        return Sql.run(db, REMOVE_ALL, project, kind.text(), scopes.toArray(String[]::new), hashPrefix)
                .mapEmpty();
    }

    private static String[] scopes(List<Budget.Key> keys) {
        return keys.stream().map(Budget.Key::scope).toArray(String[]::new);
    }

    private static Buffer[] hashes(List<Budget.Key> keys) {
        return keys.stream().map(Budget.Key::hash).toArray(Buffer[]::new);
    }
}
