package dev.vestibule.token;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import java.util.Map;
import java.util.Optional;

/** The key sets of projects, cached. */
public final class KeySets {
    private final Vertx vertx;
    private final SigningKeyStore store;
    private final FeedCache<ProjectId, KeySet> cache;

    public KeySets(Vertx vertx, SigningKeyStore store, ChangeFeed feed, int maximumSize) {
        this.vertx = vertx;
        this.store = store;
        this.cache = FeedCache.rememberingAbsence(feed, maximumSize, ProjectChanges::projectOf);
    }

    /** Empty where there is no such project. */
    Future<Optional<KeySet>> find(SqlClient db, ProjectId project) {
        return cache.get(
                project,
                missing -> store.list(db, missing)
                        .map(keys -> keys.isEmpty() ? Optional.empty() : Optional.of(new KeySet(vertx, keys))));
    }

    /** The published JSON Web Key Set (RFC 7517), empty where there is no such project. */
    public Future<Optional<Map<String, Object>>> published(SqlClient db, ProjectId project) {
        return find(db, project).map(found -> found.map(KeySet::published));
    }
}
