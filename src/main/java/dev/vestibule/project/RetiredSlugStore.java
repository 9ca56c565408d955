package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The slugs that projects had before they were deleted or got another one. No other project gets one for a year, since
 * links to its pages live on in mails, bookmarks and applications; during that year they lead to the project if it is
 * there.
 */
public final class RetiredSlugStore {
    private static final Duration RETENTION = Duration.ofDays(365);
    private static final OldRows OLD = OldRows.by("retired_slugs", "retired_at");

    private final Clock clock;

    public RetiredSlugStore(Clock clock) {
        this.clock = clock;
    }

    private static final String IS_RETIRED = """
            SELECT FROM retired_slugs
            WHERE project_id = $1 AND slug = $2 AND retired_at > $3 AND leads_to IS DISTINCT FROM $4
            """;

    /**
     * Whether another project than this one had it. Call this after the slug is set: a deletion or change that let that
     * through has committed by then, so this statement sees it.
     */
    Future<Boolean> contains(SqlClient transaction, String slug, ProjectId project) {
        return Sql.run(transaction, IS_RETIRED, ProjectId.SYSTEM, slug, freeUntil(), project)
                .map(rows -> rows.size() > 0);
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM retired_slugs WHERE project_id = $1 AND leads_to = $2 AND retired_at > $3
            """;

    /** How many slugs lead to the project besides its own. */
    Future<Long> count(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, COUNT, ProjectId.SYSTEM, project, freeUntil())
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String REPLACE = """
            WITH taken_back AS (
                DELETE FROM retired_slugs WHERE project_id = $1 AND slug = $4)
            INSERT INTO retired_slugs (project_id, slug, retired_at, leads_to)
            VALUES ($1, $3, $5, $2)
            ON CONFLICT (project_id, slug) DO UPDATE SET retired_at = excluded.retired_at, leads_to = excluded.leads_to
            """;

    /** Retires the slug that the project had, and takes back the one that it has now, if that was one before. */
    Future<Void> replace(SqlClient transaction, ProjectId project, String before, String now) {
        return Sql.run(transaction, REPLACE, ProjectId.SYSTEM, project, before, now, clock.instant())
                .mapEmpty();
    }

    /** Forgets slugs that can be used again; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        return OLD.remove(database, freeUntil());
    }

    /** Slugs that were retired before this time can be used again. */
    private Instant freeUntil() {
        return clock.instant().minus(RETENTION);
    }
}
