package dev.vestibule.project.branding;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;

/** The brandings of the projects in use, as answers that need only be sent: logos are big, and asked for often. */
public final class BrandingCache {
    /** About what an entry takes besides its body. */
    private static final int ENTRY_BYTES = 1024;

    private final BrandingStore store;
    private final FeedCache<ProjectId, Reply> cache;

    public BrandingCache(BrandingStore store, ChangeFeed feed, int maximumBytes) {
        this.store = store;
        this.cache = FeedCache.ofBytes(
                feed, maximumBytes, reply -> ENTRY_BYTES + reply.body().length(), ProjectChanges::projectOf);
    }

    /** Empty where there is no such project, or no longer. */
    Future<Optional<Reply>> find(SqlClient db, ProjectId project) {
        return cache.get(
                project,
                missing -> store.find(db, missing)
                        .map(found -> found.map(branding -> Reply.revalidated(Json.encode(branding)))));
    }
}
