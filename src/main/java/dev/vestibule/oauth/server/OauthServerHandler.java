package dev.vestibule.oauth.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantTokens.Presented;
import dev.vestibule.telemetry.metrics.GrantMeters;
import dev.vestibule.user.key.UserKeys;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The endpoints that clients and APIs call, {@code /v1/projects/:projectId/oauth}: one method per operation. */
public final class OauthServerHandler {
    private static final int MOST_REMEMBERED = 10_000;

    private final Database database;
    private final ClientAuthenticator authenticator;
    private final TokenEndpoint endpoint;
    private final AccessTokens accessTokens;
    private final GrantTokens tokens;
    private final GrantStore grants = new GrantStore();
    private final UserKeys userKeys;
    private final ServerMetadata metadata;
    private final GrantMeters meters;

    /** What is said of an active token, which is always the same, as long as its claims are in memory. */
    private final Cache<Map<String, Object>, Reply> activeTokens =
            Caffeine.newBuilder().weakKeys().maximumSize(MOST_REMEMBERED).build();

    OauthServerHandler(
            Database database,
            ClientAuthenticator authenticator,
            TokenEndpoint endpoint,
            AccessTokens accessTokens,
            GrantTokens tokens,
            UserKeys userKeys,
            ServerMetadata metadata,
            GrantMeters meters) {
        this.database = database;
        this.authenticator = authenticator;
        this.endpoint = endpoint;
        this.accessTokens = accessTokens;
        this.tokens = tokens;
        this.userKeys = userKeys;
        this.metadata = metadata;
        this.meters = meters;
    }

    /**
     * {@code GET /v1/projects/:projectId/.well-known/openid-configuration} and the other paths of discovery: the same
     * document (OpenID Connect Discovery; RFC 8414).
     */
    public Future<Reply> discovery(ApiRequest request) {
        return Future.succeededFuture(metadata.reply(request.project()));
    }

    /** {@code POST …/token} (RFC 6749, 3.2). */
    public Future<Reply> token(ApiRequest request) {
        return FormAnswers.answer(request, given -> {
            var type = given.find("grant_type").filter(TokenEndpoint.TYPES::contains);
            return endpoint.token(request, given)
                    .onComplete(asked -> meters.asked(type.orElse("unknown"), outcome(asked)))
                    .map(Reply::ok);
        });
    }

    private static String outcome(AsyncResult<?> asked) {
        return asked.succeeded() ? "issued" : asked.cause() instanceof OauthError error ? error.error() : "failed";
    }

    /** {@code POST …/introspect} (RFC 7662): for the token's client, and for the API that the token is for. */
    public Future<Reply> introspect(ApiRequest request) {
        return FormAnswers.answer(request, given -> {
            var token = given.required("token");
            return authenticator.authenticate(request, given).compose(client -> {
                if (client.isPublic()) {
                    throw OauthError.invalidClient(false);
                }
                return introspect(request, client, token);
            });
        });
    }

    /** A user's API key names no API, so every API of the project may ask whose it is. */
    private Future<Reply> introspect(ApiRequest request, Client client, String token) {
        if (client.kind() != ClientKind.API) {
            return introspectToken(request, client, token);
        }
        return userKeys.introspect(request.project().id(), token, () -> AbandonedRequest.is(request.context()))
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(Reply.ok(found.get()))
                        : introspectToken(request, client, token));
    }

    private Future<Reply> introspectToken(ApiRequest request, Client client, String token) {
        return accessTokens
                .current(request, token)
                .map(found -> found.filter(presented -> presented.concerns(client))
                        .map(presented ->
                                activeTokens.get(presented.claims(), claims -> Reply.ok(introspected(presented))))
                        .orElseGet(() -> Reply.ok(Map.of("active", false))));
    }

    private static Map<String, Object> introspected(Presented token) {
        var claims = new LinkedHashMap<String, Object>();
        claims.put("active", true);
        claims.put("token_type", token.type());
        claims.putAll(token.claims());
        return claims;
    }

    /** {@code POST …/revoke} (RFC 7009): ends the grant of the token. */
    public Future<Reply> revoke(ApiRequest request) {
        return FormAnswers.answer(request, given -> {
            var text = given.required("token");
            var project = request.project();
            var trail = request.trail();
            return authenticator
                    .authenticate(request, given)
                    .compose(client -> tokens.readRefreshToken(project, text)
                            .map(token -> Future.succeededFuture(Optional.of(token.grant())))
                            .orElseGet(() ->
                                    tokens.readAccessToken(project, text).map(found -> found.map(Presented::grant)))
                            .compose(grant -> grant.isEmpty()
                                    ? Future.succeededFuture(Optional.<Live>empty())
                                    : accessTokens.find(request, grant.get()))
                            .map(found -> found.filter(
                                    known -> known.grant().clientId().equals(client.id())))
                            .compose(found -> found.isEmpty()
                                    ? Future.<Void>succeededFuture()
                                    : database.inTransaction(transaction -> grants.delete(
                                                    transaction,
                                                    project.id(),
                                                    found.get().grant().id())
                                            .compose(ended -> GrantNews.ended(
                                                    trail,
                                                    transaction,
                                                    project.id(),
                                                    ended,
                                                    Published.GRANT_ENDED,
                                                    "revoked"))))
                            .map(revoked -> Reply.ok(Map.of())));
        });
    }

    /** {@code GET …/userinfo} and {@code POST …/userinfo} (OpenID Connect Core, 5.3). */
    public Future<Reply> userinfo(ApiRequest request) {
        return FormAnswers.orError(() -> accessTokens
                .use(request, ServerMetadata.USERINFO)
                .map(known -> {
                    if (!known.token().scopes().contains(StandardScopes.OPENID)) {
                        throw OauthError.insufficientScope(StandardScopes.OPENID);
                    }
                    return Reply.ok(claims(known.live(), known.token()));
                }));
    }

    private static Map<String, Object> claims(Live current, Presented token) {
        var user = current.user();
        if (user == null) {
            throw OauthError.invalidToken();
        }
        var claims = new LinkedHashMap<String, Object>();
        claims.put("sub", user.id().toString());
        claims.putAll(StandardScopes.claims(
                user, token.scopes(), Set.copyOf(current.grant().userinfoClaims())));
        return claims;
    }
}
