package dev.vestibule.project;

import dev.vestibule.database.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;

/**
 * The slugs of deleted projects. No other project gets one for a year, since links to its pages live on in mails,
 * bookmarks and applications.
 */
public final class RetiredSlugs {
    private static final Duration RETENTION = Duration.ofDays(365);
    private final RetiredSlugStore store = new RetiredSlugStore();
    private final Clock clock;

    public RetiredSlugs(Clock clock) {
        this.clock = clock;
    }

    /**
     * Call this after the insert: a deletion that let the insert through has committed by then, so this statement sees
     * it.
     */
    Future<Boolean> contain(SqlClient transaction, String slug) {
        return store.isRetired(
                transaction, ProjectId.SYSTEM, slug, clock.instant().minus(RETENTION));
    }

    /** Forgets slugs that can be used again; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(RETENTION);
        return RetiredSlugStore.OLD.remove(database, before);
    }
}
