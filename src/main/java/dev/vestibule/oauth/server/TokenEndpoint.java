package dev.vestibule.oauth.server;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.Pkce;
import dev.vestibule.database.Database;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantTokens.Refresh;
import dev.vestibule.oauth.server.GrantTokens.Response;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Exchanges codes, refresh tokens and the credentials of clients for tokens. */
final class TokenEndpoint {
    private static final String CODE = "authorization_code";
    private static final String REFRESH = "refresh_token";
    private static final String CREDENTIALS = "client_credentials";

    /** The types of grants. */
    static final List<String> TYPES = List.of(CODE, REFRESH, CREDENTIALS, Client.DEVICE_CODE, TokenExchange.TYPE);

    private final Database database;
    private final ClientAuthenticator authenticator;
    private final DpopProofs proofs;
    private final Grants live;
    private final GrantTokens tokens;
    private final TokenExchange exchange;
    private final DeviceFlow devices;
    private final GrantStore grants = new GrantStore();
    private final ResourceStore resources = new ResourceStore();
    private final Clock clock;
    private final Duration grace;

    TokenEndpoint(
            Database database,
            ClientAuthenticator authenticator,
            DpopProofs proofs,
            Grants live,
            GrantTokens tokens,
            TokenExchange exchange,
            DeviceFlow devices,
            Clock clock,
            Duration grace) {
        this.database = database;
        this.authenticator = authenticator;
        this.proofs = proofs;
        this.live = live;
        this.tokens = tokens;
        this.exchange = exchange;
        this.devices = devices;
        this.clock = clock;
        this.grace = grace;
    }

    Future<Response> token(ApiRequest request, Parameters given) {
        var type = given.required("grant_type");
        return authenticator
                .authenticate(request, given)
                .compose(client -> proofs.check(request, ServerMetadata.TOKEN, null)
                        .compose(key -> token(request, client, type, given, key.orElse(null))));
    }

    /**
     * By the type of the grant.
     *
     * @param key the thumbprint of the key that the client proves to have; null without a proof
     */
    private Future<Response> token(
            ApiRequest request, Client client, String type, Parameters given, @Nullable String key) {
        if (client.dpopBoundAccessTokens() && key == null) {
            return Future.failedFuture(OauthError.of(OauthError.INVALID_PROOF, "The client needs a DPoP header."));
        }
        return switch (type) {
            case CODE -> byCode(request, client, given, key);
            case REFRESH -> byRefreshToken(request, client, given, key);
            case CREDENTIALS -> byCredentials(request.project(), client, given, key);
            case Client.DEVICE_CODE -> byDeviceCode(request, client, given, key);
            case TokenExchange.TYPE -> exchange.exchange(request, client, given, key);
            default ->
                Future.failedFuture(OauthError.of("unsupported_grant_type", "This grant_type is not supported."));
        };
    }

    private Future<Response> byCode(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        var project = request.project();
        var code = given.required("code");
        var now = clock.instant();
        if (!client.kind().usesCodes()) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        return grants.takeCode(
                        database.writes(),
                        project.id(),
                        code,
                        key,
                        client.isPublic(),
                        now,
                        refreshableUntil(project, now))
                .compose(taken -> taken.isEmpty()
                        ? refuseCode(request, code, "The code is unknown, expired, used, or bound to another key.")
                        : isFor(client, given, taken.get())
                                ? issue(
                                        request,
                                        client,
                                        taken.get(),
                                        taken.get().scopes(),
                                        given,
                                        key)
                                : refuseCode(
                                        request,
                                        code,
                                        "The code belongs to another client, redirect_uri or code_verifier."));
    }

    /** A grant that a person has given on another device has the device's code. */
    private Future<Response> byDeviceCode(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        var project = request.project();
        var code = given.required("device_code");
        if (!client.deviceFlow()) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        return devices.requireAnswered(project.id(), client, code).compose(answered -> {
            var now = clock.instant();
            return grants.takeCode(
                            database.writes(),
                            project.id(),
                            code,
                            key,
                            client.isPublic(),
                            now,
                            refreshableUntil(project, now))
                    .compose(taken -> taken.isEmpty()
                            ? refuseCode(request, code, "The device_code is unknown, expired or used.")
                            : isOfDevice(client, taken.get())
                                    ? issue(
                                            request,
                                            client,
                                            taken.get(),
                                            taken.get().scopes(),
                                            given,
                                            key)
                                    : refuseCode(request, code, "The device_code belongs to another client."));
        });
    }

    private static boolean isOfDevice(Client client, Grant grant) {
        return grant.clientId().equals(client.id()) && grant.redirectUri() == null;
    }

    private static Instant refreshableUntil(Project project, Instant now) {
        return now.plus(project.refreshTokenTtl());
    }

    /** A verifier without a challenge is refused too, to prevent a PKCE downgrade (RFC 9700, 2.1.1). */
    private static boolean isFor(Client client, Parameters given, Grant grant) {
        var challenge = grant.codeChallenge();
        var verifier = given.find("code_verifier");
        var isProved = challenge == null
                ? verifier.isEmpty()
                : verifier.isPresent() && Pkce.matches(verifier.get(), challenge);
        var redirectUri = given.find("redirect_uri");
        var isSameRedirect = redirectUri.isPresent()
                ? redirectUri.get().equals(grant.redirectUri())
                : challenge != null; // OAuth 2.1, 4.1.3
        return grant.clientId().equals(client.id()) && isProved && isSameRedirect;
    }

    /** Somebody else may have a copy of the code, so what it was exchanged for must not survive. */
    private Future<Response> refuseCode(ApiRequest request, String code, String why) {
        var project = request.project().id();
        var trail = request.trail();
        return database.inTransaction(transaction -> grants.deleteByCode(transaction, project, code)
                        .compose(ended -> GrantNews.ended(
                                trail, transaction, project, ended, Published.GRANT_CODE_MISUSED, "code_misused")))
                .compose(ended -> Future.failedFuture(OauthError.invalidGrant(why)));
    }

    /** The grant may have ended with its session or user in the meantime. */
    private Future<Response> issue(
            ApiRequest request,
            Client client,
            Grant grant,
            List<String> scopes,
            Parameters given,
            @Nullable String key) {
        return live.find(request.project().id(), grant.id(), () -> AbandonedRequest.is(request.context()))
                .map(found -> found.orElseThrow(() -> OauthError.invalidGrant("The grant has ended.")))
                .compose(current -> resources(request.project(), grant.resources(), given)
                        .compose(named -> tokens.issue(
                                request.project(),
                                client,
                                new Live(grant, current.user()),
                                AuthorizationRequestReader.scopes(scopes, named),
                                named.stream().map(Resource::uri).toList(),
                                key)));
    }

    /** The named ones, which must be among those of the grant (RFC 8707, 2.2), or all of these. */
    private Future<List<Resource>> resources(Project project, List<String> ofGrant, Parameters given) {
        return resources.list(database.reads(), project.id()).map(all -> {
            var granted = all.stream()
                    .filter(resource -> ofGrant.contains(resource.uri()))
                    .toList();
            return given.resources().isEmpty()
                    ? granted
                    : AuthorizationRequestReader.resources(given.resources(), granted);
        });
    }

    private Future<Response> byRefreshToken(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        var project = request.project();
        var now = clock.instant();
        var presented = tokens.readRefreshToken(project, given.required("refresh_token"));
        if (presented.isEmpty()) {
            return Future.failedFuture(invalidRefreshToken());
        }
        var token = presented.get();
        return live.find(project.id(), token.grant(), () -> AbandonedRequest.is(request.context()))
                .map(found -> found.filter(current -> current.grant().clientId().equals(client.id()))
                        .filter(current -> current.grant().keyThumbprint() == null
                                || current.grant().keyThumbprint().equals(key))
                        .orElseThrow(TokenEndpoint::invalidRefreshToken))
                .compose(current -> scopes(given, current.grant())
                        .compose(scopes -> resources(project, current.grant().resources(), given)
                                .map(scopes)))
                .compose(scopes -> grants.refresh(
                                database.writes(),
                                project.id(),
                                token.grant(),
                                token.generation(),
                                client.isPublic(),
                                now,
                                refreshableUntil(project, now))
                        .map(found -> found.orElseThrow(TokenEndpoint::invalidRefreshToken))
                        .compose(grant -> isValid(client, token, grant, now)
                                ? issue(request, client, grant, scopes, given, key)
                                : end(request, token.grant(), request.trail())));
    }

    /** Never more than the grant has (RFC 6749, 6). */
    private static Future<List<String>> scopes(Parameters given, Grant grant) {
        var asked = given.words("scope");
        return asked.isEmpty()
                ? Future.succeededFuture(grant.scopes())
                : grant.scopes().containsAll(asked)
                        ? Future.succeededFuture(asked)
                        : Future.failedFuture(
                                OauthError.of("invalid_scope", "A scope was not granted in the first place."));
    }

    private boolean isValid(Client client, Refresh token, Grant grant, Instant now) {
        return client.isPublic()
                ? grant.generation() == token.generation() + 1
                        && !now.isAfter(grant.rotatedAt().plus(grace))
                : grant.generation() == token.generation();
    }

    /** A token that was replaced earlier must have been copied, so its use ends the grant. */
    private Future<Response> end(ApiRequest request, UUID grant, Trail trail) {
        var project = request.project().id();
        return database.inTransaction(transaction -> grants.delete(transaction, project, grant)
                        .compose(ended -> GrantNews.ended(
                                trail, transaction, project, ended, Published.GRANT_TOKEN_REUSED, "token_reused")))
                .compose(ended -> Future.failedFuture(invalidRefreshToken()));
    }

    private static OauthError invalidRefreshToken() {
        return OauthError.invalidGrant("The refresh token is invalid, expired, revoked, or bound to another key.");
    }

    /**
     * RFC 6749, 4.4: a grant of its own for each token. A scope of a token is one at each of its APIs that has it, so
     * the client needs it at all of them.
     */
    private Future<Response> byCredentials(Project project, Client client, Parameters given, @Nullable String key) {
        if (client.kind() != ClientKind.SERVICE) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        return resources.list(database.reads(), project.id()).compose(all -> {
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
                    .compose(added -> tokens.issue(
                            project, client, new Live(grant, null), grant.scopes(), grant.resources(), key));
        });
    }
}
