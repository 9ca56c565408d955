package dev.vestibule.token;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
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
    private final ChangeFeed feed;
    private final FeedCache<ProjectId, KeySet> cache;

    public KeySets(Vertx vertx, SigningKeyStore store, ChangeFeed feed, int maximumSize) {
        this.vertx = vertx;
        this.store = store;
        this.feed = feed;
        this.cache = FeedCache.rememberingAbsence(feed, maximumSize, ProjectId::new);
    }

    /** Empty if there is no such project. */
    Future<Optional<KeySet>> find(SqlClient db, ProjectId project) {
        return cache.get(
                project,
                missing -> store.list(db, missing)
                        .map(keys -> keys.isEmpty() ? Optional.empty() : Optional.of(new KeySet(vertx, keys))));
    }

    /**
     * Whether the project still has the key. A node that may have missed a revocation asks the database, in a statement
     * that decrypts no key, since every request of a signed-in user comes here.
     */
    Future<Boolean> contains(SqlClient db, ProjectId project, String keyId) {
        return feed.isUpToDate()
                ? isCached(db, project, keyId)
                : feed.catchUp()
                        .compose(isCaughtUp ->
                                isCaughtUp ? isCached(db, project, keyId) : store.exists(db, project, keyId));
    }

    private Future<Boolean> isCached(SqlClient db, ProjectId project, String keyId) {
        return find(db, project).map(keys -> keys.isPresent() && keys.get().contains(keyId));
    }

    /** The published JSON Web Key Set (RFC 7517), empty if there is no such project. */
    public Future<Optional<Map<String, Object>>> published(SqlClient db, ProjectId project) {
        return find(db, project).map(found -> found.map(KeySet::published));
    }
}
