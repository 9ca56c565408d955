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

/** How many wrong codes were tried. */
final class WrongCodeStore {
    /** The wrong tries of an account, a network, a project and so on since the window began. */
    record Count(String scope, int tries, Instant windowStart) {}

    private static final String FIND = """
            SELECT scope, tries, window_start FROM wrong_codes
            WHERE project_id = $1
              AND (scope, key_hash) IN (SELECT scope, key_hash FROM unnest($2::text[], $3::bytea[]) AS asked (scope, key_hash))
            """;

    Future<List<Count>> find(SqlClient db, ProjectId project, List<CodeTry.Key> keys) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value(), (Object) scopes(keys), hashes(keys)))
                .map(rows -> Rows.all(rows, WrongCodeStore::count));
    }

    private static Count count(Row row) {
        return new Count(row.getString("scope"), row.getInteger("tries"), Rows.instant(row, "window_start"));
    }

    /** A count whose window has passed begins again. Rows are written in the given order, so that none wait in a circle. */
    private static final String ADD = """
            INSERT INTO wrong_codes AS kept (project_id, scope, key_hash, window_start, tries)
            SELECT $1::uuid, scope, key_hash, $4::timestamptz, 1 FROM unnest($2::text[], $3::bytea[]) AS tried (scope, key_hash)
            ON CONFLICT (project_id, scope, key_hash) DO UPDATE
            SET tries = CASE
                    WHEN kept.window_start <= CASE WHEN kept.scope IN ('network', 'project') THEN $6::timestamptz ELSE $5::timestamptz END THEN 1
                    ELSE kept.tries + 1 END,
                window_start = CASE
                    WHEN kept.window_start <= CASE WHEN kept.scope IN ('network', 'project') THEN $6::timestamptz ELSE $5::timestamptz END THEN $4::timestamptz
                    ELSE kept.window_start END
            """;

    Future<Void> add(
            SqlClient db,
            ProjectId project,
            List<CodeTry.Key> keys,
            Instant now,
            Instant daysBefore,
            Instant hoursBefore) {
        return db.preparedQuery(ADD)
                .execute(Tuple.of(
                        project.value(),
                        scopes(keys),
                        hashes(keys),
                        Rows.timestamp(now),
                        Rows.timestamp(daysBefore),
                        Rows.timestamp(hoursBefore)))
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM wrong_codes
            WHERE project_id = $1
              AND (scope, key_hash) IN (SELECT scope, key_hash FROM unnest($2::text[], $3::bytea[]) AS gone (scope, key_hash))
            """;

    Future<Void> remove(SqlClient db, ProjectId project, List<CodeTry.Key> keys) {
        return db.preparedQuery(REMOVE)
                .execute(Tuple.of(project.value(), (Object) scopes(keys), hashes(keys)))
                .mapEmpty();
    }

    private static final String REMOVE_ALL = """
            DELETE FROM wrong_codes
            WHERE project_id = $1 AND scope = ANY ($2) AND key_hash >= $3
              AND key_hash < $3::bytea || decode(repeat('ff', 64), 'hex')
            """;

    /** Those whose key begins so, which has the network behind it where each has a budget. */
    Future<Void> removeAll(SqlClient db, ProjectId project, List<String> scopes, Buffer beginning) {
        return db.preparedQuery(REMOVE_ALL)
                .execute(Tuple.of(project.value(), (Object) scopes.toArray(String[]::new), beginning))
                .mapEmpty();
    }

    private static String[] scopes(List<CodeTry.Key> keys) {
        return keys.stream().map(CodeTry.Key::scope).toArray(String[]::new);
    }

    private static Buffer[] hashes(List<CodeTry.Key> keys) {
        return keys.stream().map(CodeTry.Key::hash).toArray(Buffer[]::new);
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
