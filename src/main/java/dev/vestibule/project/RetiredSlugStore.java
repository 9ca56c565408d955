package dev.vestibule.project;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;

/** The rows of {@code retired_slugs}; the deletion of a project writes them ({@link ProjectStore#delete}). */
final class RetiredSlugStore {
    static final OldRows OLD = OldRows.by("retired_slugs", "retired_at");

    private static final String IS_RETIRED = """
            SELECT FROM retired_slugs WHERE project_id = $1 AND slug = $2 AND retired_at > $3
            """;

    /** Whether a project with this slug was deleted after {@code since}. */
    Future<Boolean> isRetired(SqlClient db, ProjectId keeper, String slug, Instant since) {
        return db.preparedQuery(IS_RETIRED)
                .execute(Tuple.of(keeper.value(), slug, Rows.timestamp(since)))
                .map(rows -> rows.size() > 0);
    }
}
