package dev.vestibule.project.branding;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;

/** Caches brandings as encoded responses, since logos are big and requested often. */
public final class BrandingCache {
    /** The approximate memory of an entry without its body. */
    private static final int ENTRY_BYTES = 1024;

    private final BrandingStore store;
    private final FeedCache<ProjectId, Reply> cache;

    public BrandingCache(BrandingStore store, ChangeFeed feed, int maxBytes) {
        this.store = store;
        this.cache = FeedCache.boundedByBytes(
                feed, maxBytes, reply -> ENTRY_BYTES + reply.body().length(), ProjectId::new);
    }

    /** Empty if there is no such project, or it has been deleted. */
    Future<Optional<Reply>> find(SqlClient db, ProjectId project) {
        return cache.get(
                project,
                missing -> store.find(db, missing)
                        .map(found -> found.map(branding -> Reply.revalidated(Json.encode(branding)))));
    }
}
