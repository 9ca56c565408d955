package dev.vestibule.project.branding;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;

/** Caches brandings, also as encoded responses, since logos are big and requested often. */
public final class BrandingCache {
    /** The approximate memory of an entry without its texts. */
    private static final int ENTRY_BYTES = 1024;

    private record Entry(Branding branding, Reply reply) {
        static Entry of(Branding branding) {
            return new Entry(branding, Reply.revalidated(Json.encode(branding)));
        }

        int size() {
            return ENTRY_BYTES + 2 * reply.body().length();
        }
    }

    private final BrandingStore store;
    private final FeedCache<ProjectId, Entry> cache;

    public BrandingCache(BrandingStore store, ChangeFeed feed, int maxBytes) {
        this.store = store;
        this.cache = FeedCache.boundedByBytes(feed, maxBytes, Entry::size, ProjectId::new);
    }

    /** Empty if there is no such project, or it has been deleted. */
    public Future<Optional<Branding>> find(SqlClient db, ProjectId project) {
        return entry(db, project).map(found -> found.map(Entry::branding));
    }

    /** As {@link #find}, as a response. */
    Future<Optional<Reply>> reply(SqlClient db, ProjectId project) {
        return entry(db, project).map(found -> found.map(Entry::reply));
    }

    private Future<Optional<Entry>> entry(SqlClient db, ProjectId project) {
        return cache.get(project, missing -> store.find(db, missing).map(found -> found.map(Entry::of)));
    }
}
