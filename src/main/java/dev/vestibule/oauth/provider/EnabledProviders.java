package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.config.Settings.ProjectSettings;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The enabled providers of each project, cached; with their icons, which are big, in a cache of their own, and there
 * also as an encoded response.
 */
public final class EnabledProviders {
    /** The approximate memory of an entry without its texts. */
    private static final int ENTRY_BYTES = 1024;

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Config(
            OauthFlow oauthFlow,
            @Nullable String name,
            @Nullable String icon) {}

    private record Enabled(Set<Provider> providers, Map<String, Config> providerConfigs) {
        static Enabled of(Map<Provider, OfferedProvider> enabled, Map<Provider, String> icons) {
            var configs = new LinkedHashMap<String, Config>();
            enabled.forEach((provider, offered) -> configs.put(
                    provider.name(),
                    new Config(
                            offered.flow(),
                            provider.inCatalogue().equals(Provider.OPEN_ID_CONNECT) ? offered.title() : null,
                            icons.get(provider))));
            return new Enabled(enabled.keySet(), configs);
        }
    }

    private record Shown(Map<Provider, String> icons, Reply reply) {
        static Shown of(Map<Provider, OfferedProvider> enabled, Map<Provider, String> icons) {
            return new Shown(icons, Reply.revalidated(Json.encode(Enabled.of(enabled, icons))));
        }

        int size() {
            return ENTRY_BYTES + 2 * reply.body().length();
        }
    }

    private final ProviderStore store;
    private final FeedCache<ProjectId, Map<Provider, OfferedProvider>> cache;
    private final FeedCache<ProjectId, Shown> shown;

    public EnabledProviders(ProviderStore store, ChangeFeed feed, ProjectSettings settings) {
        this.store = store;
        this.cache = new FeedCache<>(feed, settings.cacheSize(), ProjectId::new);
        this.shown = FeedCache.boundedByBytes(feed, settings.brandingCacheBytes(), Shown::size, ProjectId::new);
    }

    /** In the order of the catalogue, and then those that the project has named. */
    public Future<Map<Provider, OfferedProvider>> of(SqlClient db, ProjectId project) {
        return cache.get(project, missing -> store.enabled(db, missing).map(Optional::of))
                .map(Optional::orElseThrow);
    }

    /** The icons that the project has given to some of these. */
    public Future<Map<Provider, String>> icons(
            SqlClient db, ProjectId project, Map<Provider, OfferedProvider> offered) {
        return hasIcons(offered) ? shown(db, project).map(Shown::icons) : Future.succeededFuture(Map.of());
    }

    private static boolean hasIcons(Map<Provider, OfferedProvider> offered) {
        return offered.values().stream().anyMatch(OfferedProvider::hasIcon);
    }

    /** The providers with their icons, as a response. */
    Future<Reply> reply(SqlClient db, ProjectId project) {
        return shown(db, project).map(Shown::reply);
    }

    private Future<Shown> shown(SqlClient db, ProjectId project) {
        return shown.get(
                        project,
                        missing -> of(db, missing)
                                .compose(found -> (hasIcons(found)
                                                ? store.icons(db, missing)
                                                : Future.succeededFuture(Map.<Provider, String>of()))
                                        .map(icons -> Optional.of(Shown.of(found, icons)))))
                .map(Optional::orElseThrow);
    }
}
