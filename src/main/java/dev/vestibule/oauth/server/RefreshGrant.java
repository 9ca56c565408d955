package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantStore.Refreshing;
import dev.vestibule.oauth.server.GrantTokens.Refresh;
import dev.vestibule.oauth.server.GrantTokens.Response;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Refresh tokens: those of a client without a secret are replaced at each use, so that a stolen one is noticed. */
final class RefreshGrant implements GrantType {
    private final Database database;
    private final Registry registry;
    private final Grants live;
    private final GrantTokens tokens;
    private final Clock clock;
    private final Duration grace;

    RefreshGrant(Database database, Registry registry, Grants live, GrantTokens tokens, Clock clock, Duration grace) {
        this.database = database;
        this.registry = registry;
        this.live = live;
        this.tokens = tokens;
        this.clock = clock;
        this.grace = grace;
    }

    /** All in one statement, unless it has to be found out what was wrong. */
    @Override
    public Future<Response> issue(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        var project = request.project();
        var now = clock.instant();
        var presented = tokens.readRefreshToken(project, given.required("refresh_token"));
        if (presented.isEmpty()) {
            return Future.failedFuture(invalidRefreshToken());
        }
        var token = presented.get();
        var scopes = given.words("scope");
        return registry.resources(project.id()).compose(all -> {
            var named = given.resources().isEmpty()
                    ? List.<Resource>of()
                    : AuthorizationRequestReader.resources(given.resources(), all);
            var wanted = new Refreshing(
                    project.id(),
                    token.grant(),
                    token.generation(),
                    client.id(),
                    client.isPublic(),
                    key,
                    String.join(" ", scopes),
                    named.stream().map(Resource::uri).collect(Collectors.joining(" ")),
                    project.refreshTokenTtl());
            return live.refresh(wanted, () -> AbandonedRequest.is(request.context()))
                    .compose(found -> found.isEmpty()
                            ? refuseRefresh(request, wanted, scopes)
                            : !isValid(client, token, found.get().grant(), now)
                                    ? endReused(request, token.grant())
                                    : answer(
                                            request,
                                            client,
                                            found.get(),
                                            scopes.isEmpty()
                                                    ? found.get().grant().scopes()
                                                    : scopes,
                                            named.isEmpty()
                                                    ? found.get().grant().among(all)
                                                    : named,
                                            key));
        });
    }

    /** The token has been used, so its successor must reach the client. */
    private Future<Response> answer(
            ApiRequest request,
            Client client,
            Live found,
            List<String> scopes,
            List<Resource> resources,
            @Nullable String key) {
        database.finishHere();
        return live.requireCurrent(request, found, RefreshGrant::invalidRefreshToken)
                .compose(current -> tokens.issue(request.project(), client, found, scopes, resources, key));
    }

    /**
     * Refuses a request for more than the grant has (RFC 6749, 6; RFC 8707, 2.2), of a grant that has ended, or without
     * its key. A token that was replaced counts as copied without the key too: it can be older than the key, and its
     * successor a thief's.
     */
    private Future<Response> refuseRefresh(ApiRequest request, Refreshing wanted, List<String> scopes) {
        return live.find(request.project().id(), wanted.grant(), () -> AbandonedRequest.is(request.context()))
                .compose(found -> {
                    var own = found.map(Live::grant)
                            .filter(grant -> grant.clientId().equals(wanted.client()));
                    if (own.isEmpty()) {
                        return Future.failedFuture(invalidRefreshToken());
                    }
                    var grant = own.get();
                    if (grant.keyThumbprint() != null && !grant.keyThumbprint().equals(wanted.key())) {
                        return wanted.generation() < grant.generation()
                                ? endReused(request, grant.id())
                                : Future.failedFuture(invalidRefreshToken());
                    }
                    return Future.failedFuture(
                            grant.scopes().containsAll(scopes)
                                    ? OauthError.of("invalid_target", "A resource was not granted in the first place.")
                                    : OauthError.of("invalid_scope", "A scope was not granted in the first place."));
                });
    }

    private boolean isValid(Client client, Refresh token, Grant grant, Instant now) {
        return client.isPublic()
                ? grant.generation() == token.generation() + 1
                        && !now.isAfter(grant.rotatedAt().plus(grace))
                : grant.generation() == token.generation();
    }

    /** A token that was replaced earlier must have been copied, so its use ends the grant too. */
    private Future<Response> endReused(ApiRequest request, UUID grant) {
        return live.end(request, grant, Published.GRANT_TOKEN_REUSED, "token_reused")
                .compose(ended -> Future.failedFuture(invalidRefreshToken()));
    }

    private static OauthError invalidRefreshToken() {
        return OauthError.invalidGrant("The refresh token is invalid, expired, revoked, or bound to another key.");
    }
}
