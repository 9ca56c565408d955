package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.catalogue.TextSource;
import dev.vestibule.oauth.catalogue.UserMapping;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends users to identity providers, and learns from them who came back. */
public final class IdentityProviderClient {
    private static final int MAX_POSTED = 8192;
    /** A sign in takes up to four answers, and the time limits of one may not add up beyond that of a request. */
    private static final int ANSWERS = 2;

    private final ProviderMetadataLoader metadata;
    private final TokenEndpoint tokenEndpoint;
    private final IdTokenVerifier idTokens;
    private final UserInfoClient userEndpoints;
    private final long patienceMillis;

    public IdentityProviderClient(Vertx vertx, OauthSettings settings, Clock clock) {
        var client = new ProviderClient(vertx, settings);
        this.metadata = new ProviderMetadataLoader(new Discovery(vertx, client, settings, clock));
        this.tokenEndpoint = new TokenEndpoint(client, new AppleClientSecret(clock), clock);
        this.idTokens = new IdTokenVerifier(new ProviderKeys(vertx, client, settings, clock), clock, settings.leeway());
        this.userEndpoints = new UserInfoClient(client);
        this.patienceMillis = settings.timeout().toMillis() * ANSWERS;
    }

    /** Where to send the browser; a 502 where the provider is needed to know it and does not answer. */
    public Future<URI> authorizationUrl(ProviderConnection connection, AuthorizationRequest request) {
        var entry = connection.entry();
        var scopes = connection.scopes();
        return metadata.load(connection)
                .map(known -> new FormParameters()
                        .set("response_type", "code")
                        .set("client_id", connection.settings().clientId())
                        .set("redirect_uri", request.redirectUri().toString())
                        .set("scope", scopes.isEmpty() ? null : String.join(" ", scopes))
                        .set("state", request.state())
                        .set("nonce", givesIdTokens(connection) ? request.nonce() : null)
                        .set("code_challenge", known.pkce() ? request.codeChallenge() : null)
                        .set("code_challenge_method", known.pkce() && request.codeChallenge() != null ? "S256" : null)
                        .setAll(entry.authorizationParameters())
                        .setAll(scopes.isEmpty() ? Map.of() : entry.parametersWithScopes())
                        .appendedTo(known.authorizationEndpoint()));
    }

    /**
     * Who the user is. A 401 where code, token or response do not prove it, a 502 where the provider does not answer,
     * gives no usable answer, or does not accept the project's settings.
     */
    public Future<ProviderIdentity> exchange(ProviderConnection connection, CodeExchange exchange) {
        return metadata.load(connection)
                .map(known -> checkIssuer(connection, known, exchange))
                .compose(known -> tokenEndpoint
                        .exchange(connection, known, exchange)
                        .compose(tokens -> identity(connection, known, exchange, tokens)))
                .timeout(patienceMillis, TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? ProviderErrors.unreachable(connection, "its answers together take too long")
                                : failure));
    }

    /** A response of another provider must not bring us to send its code to this one (RFC 9207). */
    private static ProviderMetadata checkIssuer(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange) {
        var expected = known.issuer();
        var named = exchange.issuer();
        if (named == null && known.requiresIssuer()) {
            throw ProviderErrors.unproven(connection, "the response does not name its issuer");
        }
        if (named != null && expected != null && !isOfTenants(expected) && !expected.equals(named)) {
            throw ProviderErrors.unproven(connection, "the response is another issuer's");
        }
        return known;
    }

    /** Then it is the ID token that tells. */
    private static boolean isOfTenants(String issuer) {
        return issuer.contains("{tid}");
    }

    private static boolean givesIdTokens(ProviderConnection connection) {
        return connection.entry().user().mentions(TextSource.ID_TOKEN);
    }

    private Future<ProviderIdentity> identity(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange, ProviderTokens tokens) {
        var said = JsonNodeFactory.instance.objectNode();
        put(said, TextSource.POSTED, posted(exchange.postedUser()));
        return claims(connection, known, exchange, tokens).compose(claims -> {
            put(said, TextSource.ID_TOKEN, claims);
            var email = primaryEmail(connection, known, tokens); // while the user is asked for
            return userInfo(connection, known, tokens, said).compose(user -> {
                put(said, TextSource.USER_INFO, user);
                return email.map(found -> {
                    put(said, TextSource.PRIMARY_EMAIL, found);
                    return UserInfoMapper.read(connection, said, tokens);
                });
            });
        });
    }

    private static void put(ObjectNode said, String source, JsonNode answer) {
        if (!answer.isMissingNode()) {
            said.set(source, answer);
        }
    }

    private Future<JsonNode> claims(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange, ProviderTokens tokens) {
        if (!givesIdTokens(connection)) {
            return missing();
        }
        var token = tokens.idToken();
        if (token == null) {
            return Future.failedFuture(ProviderErrors.unusable(connection, "it gives no ID token"));
        }
        return idTokens.verify(connection, known, token, exchange.nonce());
    }

    /** Asked where the ID token, if there is one, leaves email or name open. */
    private Future<JsonNode> userInfo(
            ProviderConnection connection, ProviderMetadata known, ProviderTokens tokens, ObjectNode said) {
        var mapping = connection.entry().user();
        var endpoint = known.userInfoEndpoint();
        if (endpoint == null || !mapping.mentions(TextSource.USER_INFO) || isToldEnough(mapping, said)) {
            return missing();
        }
        return userEndpoints.user(connection, endpoint, tokens).map(user -> {
            var claims = said.path(TextSource.ID_TOKEN);
            if (claims.isObject() && !claims.path("sub").equals(user.path("sub"))) {
                throw ProviderErrors.unproven(connection, "its user info is of another user than the ID token");
            }
            return user;
        });
    }

    private static boolean isToldEnough(UserMapping mapping, ObjectNode said) {
        return mapping.subject().read(said).isPresent()
                && mapping.name().read(said).isPresent()
                && mapping.emails().stream()
                        .anyMatch(email -> email.address().read(said).isPresent());
    }

    private Future<JsonNode> primaryEmail(
            ProviderConnection connection, ProviderMetadata known, ProviderTokens tokens) {
        var endpoint = known.emailsEndpoint();
        return endpoint == null || !connection.entry().user().mentions(TextSource.PRIMARY_EMAIL)
                ? missing()
                : userEndpoints.primaryEmail(connection, endpoint, tokens);
    }

    private static Future<JsonNode> missing() {
        return Future.succeededFuture(MissingNode.getInstance());
    }

    /** What cannot be read is as good as nothing: it is no more than a name. */
    private static JsonNode posted(@Nullable String json) {
        if (json == null || json.length() > MAX_POSTED) {
            return MissingNode.getInstance();
        }
        try {
            return Json.parse(Buffer.buffer(json));
        } catch (MalformedJsonException malformed) {
            return MissingNode.getInstance();
        }
    }
}
