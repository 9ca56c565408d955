package dev.vestibule.oauth.provider;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Map;
import java.util.Optional;

/** The enabled providers of each project, cached without their icons, which are big. */
public final class EnabledProviders {
    private final ProviderStore store;
    private final FeedCache<ProjectId, Map<Provider, OfferedProvider>> cache;

    public EnabledProviders(ProviderStore store, ChangeFeed feed, int maximumSize) {
        this.store = store;
        this.cache = new FeedCache<>(feed, maximumSize, ProjectId::new);
    }

    /** In the order of the catalogue, and then those that the project has named. */
    public Future<Map<Provider, OfferedProvider>> of(SqlClient db, ProjectId project) {
        return cache.get(project, missing -> store.enabled(db, missing).map(Optional::of))
                .map(Optional::orElseThrow);
    }

    /** The icons that the project has given to some of these. */
    public Future<Map<Provider, String>> icons(
            SqlClient db, ProjectId project, Map<Provider, OfferedProvider> offered) {
        return offered.values().stream().anyMatch(OfferedProvider::hasIcon)
                ? store.icons(db, project)
                : Future.succeededFuture(Map.of());
    }
}
