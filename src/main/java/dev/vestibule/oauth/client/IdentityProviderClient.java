package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.catalogue.TextSource;
import dev.vestibule.oauth.catalogue.UserMapping;
import dev.vestibule.oauth.client.IdTokenVerifier.Expected;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Builds authorization URLs, and exchanges codes for the verified identity of a user. */
public final class IdentityProviderClient {
    private static final int MAX_POSTED = 8192;
    /**
     * A sign in makes up to four requests; together they may take as long as two, to stay within our own time limit.
     */
    private static final int EXCHANGE_TIMEOUTS = 2;

    private final ProviderMetadataLoader metadata;
    private final TokenEndpoint tokenEndpoint;
    private final IdTokenVerifier idTokens;
    private final UserInfoClient userInfoClient;
    private final long responseTimeoutMillis;
    private final long exchangeTimeoutMillis;

    public IdentityProviderClient(Vertx vertx, OauthSettings settings, Clock clock) {
        var client = new ProviderClient(vertx, settings);
        this.metadata = new ProviderMetadataLoader(new Discovery(vertx, client, settings, clock));
        this.tokenEndpoint = new TokenEndpoint(client, new AppleClientSecret(clock), clock);
        this.idTokens = new IdTokenVerifier(new ProviderKeys(vertx, client, settings, clock), clock, settings.leeway());
        this.userInfoClient = new UserInfoClient(client);
        this.responseTimeoutMillis = settings.timeout().toMillis();
        this.exchangeTimeoutMillis = responseTimeoutMillis * EXCHANGE_TIMEOUTS;
    }

    /**
     * What keeps users from signing in with the issuer that the project has chosen, as far as its discovery document
     * shows it; empty if nothing does. Takes no longer than one response may, and does not fail.
     */
    public Future<Optional<String>> problem(ProviderConnection connection) {
        return metadata.load(connection)
                .timeout(responseTimeoutMillis, TimeUnit.MILLISECONDS)
                .map(known -> Optional.<String>empty())
                .recover(failure -> Future.succeededFuture(Optional.of(
                        failure instanceof ApiException known ? known.message() : ProviderException.NO_ANSWER)));
    }

    /** Where to send the browser; a 502 if this needs the discovery document and the provider does not answer. */
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
                        .set(
                                "login_hint",
                                givesIdTokens(connection) ? request.prompt().loginHint() : null)
                        .setAll(entry.authorizationParameters())
                        .setAll(scopes.isEmpty() ? Map.of() : entry.parametersWithScopes())
                        .setAll(request.prompt().fresh() ? entry.freshSignInParameters() : Map.of())
                        .appendedTo(known.authorizationEndpoint()));
    }

    /**
     * The verified identity of the user. A 401 if code, token or response do not prove it; a 502 if the provider does
     * not answer, gives no usable response, or does not accept the project's settings.
     */
    public Future<ProviderIdentity> exchange(ProviderConnection connection, CodeExchange exchange) {
        return metadata.load(connection)
                .map(known -> checkIssuer(connection, known, exchange))
                .compose(known -> tokenEndpoint
                        .exchange(connection, known, exchange)
                        .compose(tokens -> identity(connection, known, exchange, tokens)))
                .timeout(exchangeTimeoutMillis, TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? ProviderException.unreachable(connection, "its responses together took too long")
                                : failure));
    }

    /**
     * The identity in an ID token that the device's own sign in gave to one of the project's apps; a 401 if it proves
     * none. The provider's response never went through this server, so the token alone has to prove everything.
     *
     * @param nonce as the token names it; null if the app had none
     */
    public Future<ProviderIdentity> nativeIdentity(
            ProviderConnection connection, String idToken, @Nullable String nonce, Duration maxAge) {
        var expected = new Expected(connection.settings().nativeClientIds(), nonce, maxAge, null);
        return metadata.load(connection)
                .compose(known -> idTokens.verify(connection, known, idToken, expected))
                .map(claims -> {
                    var sources = JsonNodeFactory.instance.objectNode();
                    put(sources, TextSource.ID_TOKEN, claims);
                    return UserInfoMapper.read(connection, sources, ProviderTokens.NONE);
                });
    }

    /** Refuses the response of another provider, whose code must not be sent to this one (RFC 9207). */
    private static ProviderMetadata checkIssuer(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange) {
        var expected = known.issuer();
        var named = exchange.issuer();
        if (named == null && known.requiresIssuer() && exchange.mustNameIssuer()) {
            throw ProviderException.unproven(connection, "the response does not name its issuer");
        }
        if (named != null && expected != null && !hasTenantPlaceholder(expected) && !expected.equals(named)) {
            throw ProviderException.unproven(connection, "the response is from another issuer");
        }
        return known;
    }

    /** The issuer of Microsoft differs for each tenant, so only the ID token can be compared with it. */
    private static boolean hasTenantPlaceholder(String issuer) {
        return issuer.contains("{tid}");
    }

    private static boolean givesIdTokens(ProviderConnection connection) {
        return connection.entry().user().mentions(TextSource.ID_TOKEN);
    }

    private Future<ProviderIdentity> identity(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange, ProviderTokens tokens) {
        var sources = JsonNodeFactory.instance.objectNode();
        put(sources, TextSource.POSTED, parsePostedUser(exchange.postedUser()));
        return claims(connection, known, exchange, tokens).compose(claims -> {
            put(sources, TextSource.ID_TOKEN, claims);
            var email = primaryEmail(connection, known, tokens); // runs while user info is fetched
            return userInfo(connection, known, tokens, sources).compose(user -> {
                put(sources, TextSource.USER_INFO, user);
                return email.map(found -> {
                    put(sources, TextSource.PRIMARY_EMAIL, found);
                    return UserInfoMapper.read(connection, sources, tokens);
                });
            });
        });
    }

    private static void put(ObjectNode sources, String name, JsonNode value) {
        if (!value.isMissingNode()) {
            sources.set(name, value);
        }
    }

    private Future<JsonNode> claims(
            ProviderConnection connection, ProviderMetadata known, CodeExchange exchange, ProviderTokens tokens) {
        if (!givesIdTokens(connection)) {
            return missing();
        }
        var token = tokens.idToken();
        if (token == null) {
            return Future.failedFuture(ProviderException.unusable(connection, "it gives no ID token"));
        }
        return idTokens.verify(connection, known, token, Expected.ofCode(connection, exchange));
    }

    /** Fetched only if there is no ID token, or if it lacks the email or the name. */
    private Future<JsonNode> userInfo(
            ProviderConnection connection, ProviderMetadata known, ProviderTokens tokens, ObjectNode sources) {
        var mapping = connection.entry().user();
        var endpoint = known.userInfoEndpoint();
        if (endpoint == null || !mapping.mentions(TextSource.USER_INFO) || isComplete(mapping, sources)) {
            return missing();
        }
        return userInfoClient.user(connection, endpoint, tokens).map(user -> {
            var claims = sources.path(TextSource.ID_TOKEN);
            if (claims.isObject() && !claims.path("sub").equals(user.path("sub"))) {
                throw ProviderException.unproven(connection, "its user info is about another user than the ID token");
            }
            return user;
        });
    }

    private static boolean isComplete(UserMapping mapping, ObjectNode sources) {
        return mapping.subject().read(sources).isPresent()
                && mapping.name().read(sources).isPresent()
                && mapping.emails().stream()
                        .anyMatch(email -> email.address().read(sources).isPresent());
    }

    private Future<JsonNode> primaryEmail(
            ProviderConnection connection, ProviderMetadata known, ProviderTokens tokens) {
        var endpoint = known.emailsEndpoint();
        return endpoint == null || !connection.entry().user().mentions(TextSource.PRIMARY_EMAIL)
                ? missing()
                : userInfoClient.primaryEmail(connection, endpoint, tokens);
    }

    private static Future<JsonNode> missing() {
        return Future.succeededFuture(MissingNode.getInstance());
    }

    /** Malformed JSON is ignored: all that would be lost is a name. */
    private static JsonNode parsePostedUser(@Nullable String json) {
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
