package dev.vestibule.oauth.server;

import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.oauth.server.ConnectionStore.Access;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An application that has access to a user's account, as the user reads it.
 *
 * @param host whose metadata document the client is; null for a registered one
 * @param scopes standard ones, of what it may know
 * @param offline whether it keeps access when the session expires
 * @param lastUsedAt when it last got tokens; null if the user has agreed, and it has none
 */
record ConnectedApp(
        String clientId,
        String name,
        @Nullable String host,
        boolean firstParty,
        List<String> scopes,
        List<Api> apis,
        boolean offline,
        Instant since,
        @Nullable Instant lastUsedAt) {
    /** The scopes that it has at an API, in the project's words. */
    record Api(String uri, String name, List<NamedScope> scopes) {}

    record NamedScope(String name, String text) {}

    /** One for each client, in the order of the list. */
    static List<ConnectedApp> of(List<Access> list, List<Resource> resources, String language) {
        var byClient = new LinkedHashMap<String, List<Access>>();
        list.forEach(access -> byClient.computeIfAbsent(access.clientId(), first -> new ArrayList<>())
                .add(access));
        return byClient.values().stream()
                .map(accesses -> app(accesses, resources, language))
                .toList();
    }

    private static ConnectedApp app(List<Access> accesses, List<Resource> resources, String language) {
        var client = accesses.get(0);
        var scopes = new LinkedHashSet<String>();
        var uris = new LinkedHashSet<String>();
        accesses.forEach(access -> {
            scopes.addAll(access.scopes());
            uris.addAll(access.resources());
        });
        return new ConnectedApp(
                client.clientId(),
                client.clientName(),
                client.isDocument() ? RedirectUrl.of(client.clientId()).host() : null,
                client.firstParty(),
                StandardScopes.ALL.stream().filter(scopes::contains).toList(),
                resources.stream()
                        .filter(resource -> uris.contains(resource.uri()))
                        .map(resource -> api(resource, scopes, language))
                        .toList(),
                accesses.stream().anyMatch(Access::isOffline),
                accesses.stream()
                        .map(Access::since)
                        .min(Comparator.naturalOrder())
                        .orElseThrow(),
                accesses.stream()
                        .map(Access::usedAt)
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder())
                        .orElse(null));
    }

    private static Api api(Resource resource, Set<String> scopes, String language) {
        return new Api(
                resource.uri(),
                resource.name(),
                resource.scopes().stream()
                        .filter(scope -> scopes.contains(scope.name()))
                        .map(scope -> new NamedScope(scope.name(), scope.text(language)))
                        .toList());
    }
}
