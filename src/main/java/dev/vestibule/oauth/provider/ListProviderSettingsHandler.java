package dev.vestibule.oauth.provider;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Catalogue;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code GET /v1/dashboard/projects/:projectId/providers}: a project's provider settings, without the secrets. */
public final class ListProviderSettingsHandler implements ApiHandler {
    private record Response(
            List<ProviderSettings> providers, int total, List<AvailableProvider> available, String redirectUri) {}

    private final Database database;
    private final ProviderStore store;
    private final Catalogue catalogue;
    private final String redirectUri;

    public ListProviderSettingsHandler(
            Database database, ProviderStore store, Catalogue catalogue, String redirectUri) {
        this.database = database;
        this.store = store;
        this.catalogue = catalogue;
        this.redirectUri = redirectUri;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return store.list(database.writes(), Caller.project(ctx).id())
                .map(settings -> Reply.ok(new Response(settings, settings.size(), available(), redirectUri)));
    }

    private List<AvailableProvider> available() {
        return catalogue.providers().stream()
                .map(provider ->
                        AvailableProvider.of(provider, catalogue.find(provider).orElseThrow()))
                .toList();
    }
}
