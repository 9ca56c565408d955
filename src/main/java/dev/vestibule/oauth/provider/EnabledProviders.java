package dev.vestibule.oauth.provider;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Map;
import java.util.Optional;

/** The enabled providers of each project, cached. */
public final class EnabledProviders {
    private final ProviderStore store;
    private final FeedCache<ProjectId, Map<Provider, OauthFlow>> cache;

    public EnabledProviders(ProviderStore store, ChangeFeed feed, int maximumSize) {
        this.store = store;
        this.cache = new FeedCache<>(feed, maximumSize, ProjectId::new);
    }

    /** In the order of the catalogue. */
    public Future<Map<Provider, OauthFlow>> of(SqlClient db, ProjectId project) {
        return cache.get(project, missing -> store.enabled(db, missing).map(Optional::of))
                .map(Optional::orElseThrow);
    }
}
