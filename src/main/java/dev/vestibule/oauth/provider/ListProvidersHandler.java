package dev.vestibule.oauth.provider;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** {@code GET /v1/auth/providers}: the identity providers that a project has enabled. */
public final class ListProvidersHandler implements ApiHandler {
    private record Config(OauthFlow oauthFlow) {}

    private record Response(Set<Provider> providers, Map<String, Config> providerConfigs) {
        static Response of(Map<Provider, OauthFlow> enabled) {
            var configs = new LinkedHashMap<String, Config>();
            enabled.forEach((provider, flow) -> configs.put(provider.name(), new Config(flow)));
            return new Response(enabled.keySet(), configs);
        }
    }

    private final Database database;
    private final EnabledProviders providers;

    public ListProvidersHandler(Database database, EnabledProviders providers) {
        this.database = database;
        this.providers = providers;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return providers.of(database.reads(), Caller.project(ctx).id()).map(enabled -> Reply.ok(Response.of(enabled)));
    }
}
