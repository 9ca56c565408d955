package dev.vestibule.project;

import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The rows of {@code retired_slugs}; the deletion of a project writes them ({@link ProjectStore#delete}). */
final class RetiredSlugStore {
    private static final String IS_RETIRED = """
            SELECT FROM retired_slugs WHERE project_id = $1 AND slug = $2 AND retired_at > $3
            """;

    /** Whether a project with this slug was deleted after {@code since}. */
    Future<Boolean> isRetired(SqlClient db, ProjectId keeper, String slug, Instant since) {
        return db.preparedQuery(IS_RETIRED)
                .execute(Tuple.of(keeper.value(), slug, Rows.timestamp(since)))
                .map(rows -> rows.size() > 0);
    }

    private static final String PURGE = """
            DELETE FROM retired_slugs WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM retired_slugs
                WHERE retired_at <= $1
                ORDER BY retired_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Deletes up to {@code limit} slugs that retired before the given time, and returns how many. */
    Future<Integer> purge(SqlClient db, Instant before, int limit) {
        return db.preparedQuery(PURGE)
                .execute(Tuple.of(Rows.timestamp(before), limit))
                .map(rows -> rows.rowCount());
    }
}
