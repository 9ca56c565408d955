package dev.vestibule.oauth.server;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantTokens.Response;
import dev.vestibule.project.ApiVariant;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs that act on their own (RFC 6749, 4.4). */
final class CredentialsGrant implements GrantType {
    private final Database database;
    private final Registry registry;
    private final GrantTokens tokens;
    private final GrantStore grants = new GrantStore();
    private final Clock clock;

    CredentialsGrant(Database database, Registry registry, GrantTokens tokens, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * RFC 6749, 4.4: a grant of its own for each token. A scope of a token is one at each of its APIs that has it, so
     * the client needs it at all of them.
     */
    @Override
    public Future<Response> issue(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        var project = request.project();
        if (client.kind() != ClientKind.SERVICE) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        return registry.resources(project.id()).compose(all -> {
            var own = all.stream()
                    .filter(resource -> client.apiScopes().containsKey(resource.uri()))
                    .toList();
            var named = given.resources().isEmpty() && own.size() == 1
                    ? own
                    : AuthorizationRequestReader.resources(given.resources(), own);
            if (named.isEmpty()) {
                throw OauthError.of("invalid_target", "The parameter resource has to name an API.");
            }
            var granted = named.stream()
                    .flatMap(resource -> resource.scopes().stream().map(Resource.Scope::name))
                    .distinct()
                    .filter(scope -> named.stream()
                            .filter(resource -> resource.has(scope))
                            .allMatch(resource -> client.apiScopes()
                                    .getOrDefault(resource.uri(), List.of())
                                    .contains(scope)))
                    .toList();
            var asked = given.words("scope");
            if (!granted.containsAll(asked)) {
                throw OauthError.of("invalid_scope", "A scope is not granted to this client.");
            }
            var now = clock.instant();
            var grant = new Grant(
                    UuidCreator.getTimeOrderedEpoch(),
                    client.id(),
                    null,
                    null,
                    false,
                    asked.isEmpty() ? granted : asked,
                    named.stream().map(Resource::uri).toList(),
                    List.of(),
                    List.of(),
                    null,
                    List.of(),
                    null,
                    null,
                    null,
                    null,
                    0,
                    now,
                    now.plus(project.accessTokenTtl(ApiVariant.A)).plusSeconds(1));
            return grants.add(database.writes(), project.id(), grant, null, null)
                    .compose(added -> added
                            ? tokens.issue(project, client, new Live(grant, null), grant.scopes(), named, key)
                            : Future.failedFuture(OauthError.of(
                                    "unauthorized_client", "The client or one of its APIs has just been deleted.")));
        });
    }
}
