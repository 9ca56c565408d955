package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;

/**
 * The slugs of deleted projects: for a year no other project gets one, since links to its pages live on in mails, bookmarks and
 * applications.
 */
public final class RetiredSlugs {
    private static final Duration KEPT = Duration.ofDays(365);
    private static final int BATCH = 1000;

    private final RetiredSlugStore store = new RetiredSlugStore();
    private final Clock clock;

    public RetiredSlugs(Clock clock) {
        this.clock = clock;
    }

    /** To be asked after the insert: a deletion that let it through has committed by then, so this statement sees it. */
    Future<Boolean> contain(SqlClient transaction, String slug) {
        return store.isRetired(
                transaction, ProjectId.SYSTEM, slug, clock.instant().minus(KEPT));
    }

    /** Forgets those that may be given again; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(KEPT);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
