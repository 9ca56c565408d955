package dev.vestibule.oauth.server;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.server.GrantStore.Exchanged;
import dev.vestibule.oauth.server.GrantTokens.Presented;
import dev.vestibule.oauth.server.GrantTokens.Response;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges an access token for one with fewer scopes, for another API, that says who acts (RFC 8693). It can do
 * nothing that the first could not, lives no longer, and ends with it.
 */
final class TokenExchange implements GrantType {
    /** The limit of clients that act for each other, so that a token cannot grow without end. */
    private static final int MAX_ACTORS = 5;

    private final Database database;
    private final AccessTokens accessTokens;
    private final GrantTokens tokens;
    private final GrantStore grants = new GrantStore();
    private final Registry registry;
    private final Clock clock;

    TokenExchange(Database database, Registry registry, AccessTokens accessTokens, GrantTokens tokens, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.accessTokens = accessTokens;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Future<Response> issue(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        if (!client.tokenExchange()) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        isAccessToken(given.required("subject_token_type"));
        given.find("requested_token_type").ifPresent(TokenExchange::isAccessToken);
        if (given.has("actor_token") != given.has("actor_token_type")) {
            throw OauthError.invalidRequest("The parameters actor_token and actor_token_type belong together.");
        }
        given.find("actor_token_type").ifPresent(TokenExchange::isAccessToken);
        return current(request, given.required("subject_token"))
                .map(subject -> {
                    if (!subject.concerns(client)) {
                        throw invalidToken();
                    }
                    if (subject.key().isPresent() && key == null) {
                        throw OauthError.of(
                                OauthError.INVALID_PROOF,
                                "The subject_token is bound to a key, so the new token must be bound to one too: send a DPoP proof.");
                    }
                    return subject;
                })
                .compose(subject -> actor(request, client, given)
                        .compose(actor -> exchange(request.project(), client, subject, given)
                                .compose(grant -> tokens.issueExchanged(
                                        request.project(),
                                        client,
                                        grant,
                                        subject.subject(),
                                        act(actor, subject),
                                        key))));
    }

    private static void isAccessToken(String type) {
        if (!type.equals(GrantTokens.ACCESS_TOKEN_TYPE)) {
            throw OauthError.invalidRequest(
                    "Only tokens of the type " + GrantTokens.ACCESS_TOKEN_TYPE + " are exchanged.");
        }
    }

    /** Refuses a token that an API key was exchanged for, which is valid for only minutes anyway. */
    private Future<Presented> current(ApiRequest request, String text) {
        return accessTokens
                .find(request, text)
                .map(found -> found.orElseThrow(TokenExchange::invalidToken).token());
    }

    /** One answer for unknown tokens and for those of others, since the caller may not know which tokens exist. */
    private static OauthError invalidToken() {
        return OauthError.invalidRequest(
                "The subject_token or actor_token is invalid, expired, revoked, or not for this client.");
    }

    /**
     * The client itself, unless it brings the token of the service account that will act. An API cannot: programs send
     * it their tokens for its own work, not so that it says that they act.
     */
    private Future<String> actor(ApiRequest request, Client client, Parameters given) {
        var text = given.find("actor_token");
        if (text.isEmpty()) {
            return Future.succeededFuture(client.id());
        }
        return current(request, text.get()).map(actor -> {
            if (client.kind() == ClientKind.API && !actor.subject().equals(client.id())) {
                throw invalidToken();
            }
            if (actor.isOfUser()) {
                throw OauthError.invalidRequest("The actor_token must be one of a service account.");
            }
            return actor.subject();
        });
    }

    private static Map<String, Object> act(String actor, Presented subject) {
        var act = new LinkedHashMap<String, Object>();
        act.put("sub", actor);
        var before = subject.claims().get("act");
        if (before != null) {
            if (depth(before) >= MAX_ACTORS) {
                throw OauthError.invalidRequest("The token was exchanged " + MAX_ACTORS + " times already.");
            }
            act.put("act", before);
        }
        return act;
    }

    private static int depth(Object act) {
        var depth = 0;
        for (var at = act; at instanceof Map<?, ?> actor; at = actor.get("act")) {
            depth++;
        }
        return depth;
    }

    private Future<Grant> exchange(Project project, Client client, Presented subject, Parameters given) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var until = Collections.min(List.of(now.plus(project.accessTokenTtl(ApiVariant.A)), subject.expiresAt()));
        if (!until.isAfter(now)) {
            throw invalidToken();
        }
        return resources(project, client, subject, given)
                .compose(named -> grants.addExchanged(
                        database.writes(),
                        project.id(),
                        subject.grant(),
                        new Exchanged(
                                UuidCreator.getTimeOrderedEpoch(),
                                client.id(),
                                scopes(client, subject, named, given),
                                named.stream().map(Resource::uri).toList()),
                        now,
                        until))
                .map(added -> added.orElseThrow(TokenExchange::invalidToken));
    }

    /**
     * The named APIs among those that the token is for and those that the client may call; all that the token is for if
     * none is named.
     */
    private Future<List<Resource>> resources(Project project, Client client, Presented subject, Parameters given) {
        var asked = Stream.concat(given.resources().stream(), given.find("audience").stream())
                .distinct()
                .toList();
        return registry.resources(project.id()).map(all -> {
            var allowed = all.stream()
                    .filter(resource -> subject.audience().contains(resource.uri())
                            || client.apiScopes().containsKey(resource.uri()))
                    .toList();
            var named = asked.isEmpty()
                    ? allowed.stream()
                            .filter(resource -> subject.audience().contains(resource.uri()))
                            .toList()
                    : AuthorizationRequestReader.resources(asked, allowed);
            if (named.isEmpty()) {
                throw OauthError.of("invalid_target", "The parameter resource has to name an API.");
            }
            return named;
        });
    }

    /**
     * Never more scopes than the token has and, at an API that it was not for, never more than the client may have
     * there.
     */
    private static List<String> scopes(Client client, Presented subject, List<Resource> named, Parameters given) {
        var possible = subject.scopes().stream()
                .filter(scope -> named.stream().anyMatch(resource -> resource.has(scope)))
                .filter(scope -> named.stream()
                        .filter(resource ->
                                resource.has(scope) && !subject.audience().contains(resource.uri()))
                        .allMatch(resource -> client.apiScopes()
                                .getOrDefault(resource.uri(), List.of())
                                .contains(scope)))
                .toList();
        var asked = given.words("scope");
        if (!possible.containsAll(asked)) {
            throw OauthError.of("invalid_scope", "A scope is not one of the token, or not granted to this client.");
        }
        return asked.isEmpty() ? possible : asked;
    }
}
