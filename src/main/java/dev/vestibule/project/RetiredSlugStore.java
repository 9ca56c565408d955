package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The slugs of deleted projects. No other project gets one for a year, since links to its pages live on in mails,
 * bookmarks and applications.
 */
public final class RetiredSlugStore {
    private static final Duration RETENTION = Duration.ofDays(365);
    private static final OldRows OLD = OldRows.by("retired_slugs", "retired_at");

    private final Clock clock;

    public RetiredSlugStore(Clock clock) {
        this.clock = clock;
    }

    private static final String IS_RETIRED = """
            SELECT FROM retired_slugs WHERE project_id = $1 AND slug = $2 AND retired_at > $3
            """;

    /**
     * Call this after the insert: a deletion that let the insert through has committed by then, so this statement sees
     * it.
     */
    Future<Boolean> contains(SqlClient transaction, String slug) {
        return transaction
                .preparedQuery(IS_RETIRED)
                .execute(Tuple.of(ProjectId.SYSTEM.value(), slug, Rows.timestamp(freeUntil())))
                .map(rows -> rows.size() > 0);
    }

    /** Forgets slugs that can be used again; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        return OLD.remove(database, freeUntil());
    }

    /** Those that were retired up to then can be used again. */
    private Instant freeUntil() {
        return clock.instant().minus(RETENTION);
    }
}
