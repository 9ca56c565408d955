package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Uuids;
import dev.vestibule.oauth.server.ClientMetadata.Origin;
import dev.vestibule.oauth.server.ClientStore.SecretInfo;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that register themselves, {@code /v1/projects/:projectId/oauth/register} (RFC 7591, RFC 7592): one method per
 * operation. Nothing is there unless the project allows it; such a client is always one of a third party.
 */
public final class RegistrationHandler {
    /** How long a client is kept that nobody signs in to. */
    static final Duration UNUSED = Duration.ofDays(30);

    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int SECRET_BYTES = 32;
    private static final int ENDING = 4;
    private static final String BEARER = "bearer ";
    private static final List<String> METHODS =
            List.of(ClientAuthenticator.BASIC, ClientAuthenticator.POST, Client.NONE, Client.PRIVATE_KEY_JWT);

    private final Database database;
    private final NewClientBudget budget;
    private final SignedTokens tokens;
    private final OwnUrls urls;
    private final int maxRegistered;
    private final ProjectStore projects = new ProjectStore();
    private final ClientStore clients = new ClientStore();
    private final ConsentStore consents = new ConsentStore();
    private final Clock clock;

    RegistrationHandler(
            Database database,
            NewClientBudget budget,
            SignedTokens tokens,
            OwnUrls urls,
            int maxRegistered,
            Clock clock) {
        this.database = database;
        this.budget = budget;
        this.tokens = tokens;
        this.urls = urls;
        this.maxRegistered = maxRegistered;
        this.clock = clock;
    }

    /**
     * {@code POST …}: the answer has the client's secret, if it has one, and the token that manages it (RFC 7591, 3).
     */
    public Future<Reply> register(ApiRequest request) {
        return answer(request, () -> {
            var project = request.project().id();
            var id = UUID.randomUUID();
            var now = clock.instant();
            var metadata = ClientMetadata.read(body(request), "Application", METHODS, urls);
            var client = metadata.client(id.toString(), metadata.kind(), new Origin(true, null, now, now));
            var token = "rt_" + random();
            var secret = client.hasSecrets() ? "cs_" + random() : null;
            var trail = request.trail();
            return budget.take(request)
                    .compose(taken -> database.inTransaction(transaction -> projects.lock(transaction, project)
                            .compose(locked -> clients.countRegistered(transaction, project))
                            .compose(count -> {
                                if (count >= maxRegistered) {
                                    throw OauthError.of(
                                            "temporarily_unavailable",
                                            "The project has as many such clients as it may.");
                                }
                                return clients.put(transaction, project, client);
                            })
                            .compose(added -> clients.setRegistrationToken(
                                    transaction, project, client.id(), Sha256.of(token), now))
                            .compose(set -> secret == null
                                    ? Future.succeededFuture()
                                    : clients.addSecret(
                                            transaction,
                                            project,
                                            client.id(),
                                            new SecretInfo(
                                                    UUID.randomUUID(), secret.substring(secret.length() - ENDING), now),
                                            Sha256.of(secret)))
                            .compose(set -> trail.record(
                                    transaction,
                                    Logged.OAUTH_CLIENT_CREATED,
                                    Target.oauthClient(id),
                                    Map.of("name", client.name(), "kind", "dynamic")))))
                    .map(registered -> reply(CREATED, information(project, client, token, secret)));
        });
    }

    private static String random() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(SECRET_BYTES));
    }

    /** {@code GET …/:clientId}: as it is registered (RFC 7592, 2.1). */
    public Future<Reply> read(ApiRequest request) {
        return answer(
                request,
                () -> own(request)
                        .map(own -> reply(200, information(request.project().id(), own.client(), own.token(), null))));
    }

    /** {@code PUT …/:clientId}: replaces everything but how it authenticates (RFC 7592, 2.2). */
    public Future<Reply> replace(ApiRequest request) {
        return answer(request, () -> {
            var project = request.project().id();
            var body = body(request);
            var trail = request.trail();
            return own(request).compose(own -> {
                var old = own.client();
                if (!old.id().equals(body.path("client_id").textValue())) {
                    throw OauthError.of("invalid_client_metadata", "client_id must be that of the client.");
                }
                var metadata = ClientMetadata.read(body, old.name(), List.of(old.authentication()), urls);
                var next =
                        metadata.client(old.id(), old.kind(), new Origin(true, null, old.createdAt(), clock.instant()));
                return isOwnSecret(project, old, body)
                        .compose(isRight -> {
                            if (!isRight) {
                                throw OauthError.of(
                                        "invalid_client_metadata", "client_secret must be that of the client.");
                            }
                            return database.inTransaction(transaction -> lock(transaction, project, own)
                                    .compose(still -> clients.put(transaction, project, next))
                                    .compose(put -> next.leadsElsewhereThan(old)
                                            ? consents.forgetClient(transaction, project, next.id())
                                            : Future.succeededFuture())
                                    .compose(put -> trail.record(
                                            transaction,
                                            Logged.OAUTH_CLIENT_UPDATED,
                                            Target.oauthClient(UUID.fromString(next.id())),
                                            Map.of("name", next.name()))));
                        })
                        .map(replaced -> reply(200, information(project, next, own.token(), null)));
            });
        });
    }

    private Future<Boolean> isOwnSecret(ProjectId project, Client client, JsonNode body) {
        var given = body.path("client_secret").textValue();
        return given == null
                ? Future.succeededFuture(true)
                : clients.hasSecret(database.reads(), project, client.id(), Sha256.of(given));
    }

    /** {@code DELETE …/:clientId}: none of its tokens is valid any more (RFC 7592, 2.3). */
    public Future<Reply> remove(ApiRequest request) {
        return answer(request, () -> {
            var project = request.project().id();
            var trail = request.trail();
            return own(request)
                    .compose(own -> database.inTransaction(transaction -> lock(transaction, project, own)
                            .compose(still -> clients.delete(
                                    transaction, project, own.client().id()))
                            .compose(deleted -> trail.record(
                                    transaction,
                                    Logged.OAUTH_CLIENT_DELETED,
                                    Target.oauthClient(
                                            UUID.fromString(own.client().id()))))))
                    .map(deleted -> new Reply(NO_CONTENT, Buffer.buffer(), Map.of("Cache-Control", "no-store")));
        });
    }

    /** Nothing is there while the project does not allow it. */
    private static Future<Reply> answer(ApiRequest request, Supplier<Future<Reply>> operation) {
        if (!request.project().dynamicRegistration()) {
            throw ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
        }
        return FormAnswers.orError(operation);
    }

    /** A client, and the token that proves to be its own. */
    private record Own(Client client, String token) {
        @Override
        public String toString() {
            return "Own[" + client.id() + "]";
        }
    }

    /**
     * One answer for unknown clients and wrong tokens (RFC 7592, 2.1), which count as the bad credentials of other
     * routes do.
     */
    private Future<Own> own(ApiRequest request) {
        var header = request.header(HttpHeaders.AUTHORIZATION);
        var token = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
        if (token.isEmpty()) {
            throw OauthError.noToken();
        }
        var id = Uuids.parse(request.pathParam("clientId")).orElseThrow(OauthError::invalidToken);
        request.beforeLookup();
        return clients.findRegistered(database.writes(), request.project().id(), id.toString(), Sha256.of(token))
                .map(found -> {
                    if (found.isEmpty()) {
                        request.countBadCredentials();
                    }
                    return found.map(client -> new Own(client, token)).orElseThrow(OauthError::invalidToken);
                });
    }

    /** It may have been deleted in the meantime. */
    private Future<Void> lock(SqlClient transaction, ProjectId project, Own own) {
        return clients.lockRegistered(transaction, project, own.client().id(), Sha256.of(own.token()))
                .compose(
                        isThere -> isThere ? Future.succeededFuture() : Future.failedFuture(OauthError.invalidToken()));
    }

    private static ObjectNode body(ApiRequest request) {
        try {
            return request.body();
        } catch (ApiException malformed) {
            throw OauthError.of("invalid_client_metadata", String.valueOf(malformed.getMessage()));
        }
    }

    private Map<String, Object> information(ProjectId project, Client client, String token, @Nullable String secret) {
        var all = new LinkedHashMap<String, Object>();
        all.put("client_id", client.id());
        all.put("client_id_issued_at", client.createdAt().getEpochSecond());
        if (secret != null) {
            all.put("client_secret", secret);
        }
        if (client.hasSecrets()) {
            all.put("client_secret_expires_at", 0);
        }
        all.put("registration_access_token", token);
        all.put("registration_client_uri", tokens.issuer(project) + ServerMetadata.REGISTER + "/" + client.id());
        all.put("client_name", client.name());
        all.put("redirect_uris", client.redirectUris());
        all.put("post_logout_redirect_uris", client.postLogoutRedirectUris());
        all.put("token_endpoint_auth_method", client.authentication());
        var types = new ArrayList<>(List.of(GrantType.CODE, GrantType.REFRESH));
        if (client.deviceFlow()) {
            types.add(GrantType.DEVICE_CODE);
        }
        all.put("grant_types", types);
        all.put("response_types", List.of("code"));
        Optional.ofNullable(client.jwks()).ifPresent(jwks -> all.put("jwks", jwks));
        Optional.ofNullable(client.jwksUri()).ifPresent(uri -> all.put("jwks_uri", uri));
        all.put("id_token_signed_response_alg", client.idTokenAlgorithm());
        all.put("require_pushed_authorization_requests", client.requirePushedRequests());
        all.put("dpop_bound_access_tokens", client.dpopBoundAccessTokens());
        return all;
    }

    private static Reply reply(int status, Map<String, Object> body) {
        var reply = Reply.ok(body);
        return new Reply(status, reply.body(), reply.headers()).withHeader("Cache-Control", "no-store");
    }
}
