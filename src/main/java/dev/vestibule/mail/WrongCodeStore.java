package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;

/** How many wrong codes of email verification were tried. */
final class WrongCodeStore {
    /** The wrong tries of an account, a network or a project since the window began. */
    record Count(String scope, int tries, Instant windowStart) {}

    private static final String FIND = """
            SELECT scope, tries, window_start FROM wrong_codes
            WHERE project_id = $1
              AND (scope, key_hash) IN (('account', $2::bytea), ('network', $3::bytea), ('project', ''::bytea))
            """;

    Future<List<Count>> find(SqlClient db, CodeTry attempt) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(attempt.project().value(), attempt.account(), attempt.network()))
                .map(rows -> Rows.all(rows, WrongCodeStore::count));
    }

    private static Count count(Row row) {
        return new Count(row.getString("scope"), row.getInteger("tries"), Rows.instant(row, "window_start"));
    }

    /** A count whose window has passed begins again. */
    private static final String ADD = """
            INSERT INTO wrong_codes AS kept (project_id, scope, key_hash, window_start, tries)
            SELECT $1::uuid, scope, key_hash, $4::timestamptz, 1
            FROM (VALUES ('account', $2::bytea), ('network', $3::bytea), ('project', ''::bytea)) AS tried (scope, key_hash)
            WHERE $7 OR scope <> 'account'
            ON CONFLICT (project_id, scope, key_hash) DO UPDATE
            SET tries = CASE
                    WHEN kept.window_start <= CASE kept.scope WHEN 'account' THEN $5::timestamptz ELSE $6::timestamptz END THEN 1
                    ELSE kept.tries + 1 END,
                window_start = CASE
                    WHEN kept.window_start <= CASE kept.scope WHEN 'account' THEN $5::timestamptz ELSE $6::timestamptz END THEN $4::timestamptz
                    ELSE kept.window_start END
            """;

    /** Counts a wrong try for the network and the project, and if asked to, for the account. */
    Future<Void> add(
            SqlClient db,
            CodeTry attempt,
            boolean countsForAccount,
            Instant now,
            Instant accountsBefore,
            Instant othersBefore) {
        return db.preparedQuery(ADD)
                .execute(Tuple.of(
                        attempt.project().value(),
                        attempt.account(),
                        attempt.network(),
                        Rows.timestamp(now),
                        Rows.timestamp(accountsBefore),
                        Rows.timestamp(othersBefore),
                        countsForAccount))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM wrong_codes WHERE project_id = $1 AND scope = 'account' AND key_hash = $2
            """;

    Future<Void> remove(SqlClient db, ProjectId project, Buffer account) {
        return db.preparedQuery(REMOVE)
                .execute(Tuple.of(project.value(), account))
                .mapEmpty();
    }

    private static final String PURGE = """
            DELETE FROM wrong_codes WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM wrong_codes
                WHERE window_start <= $1
                ORDER BY window_start
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} old rows of all projects, and returns how many. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
