package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.oauth.client.ProviderClient.JsonResponse;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Exchanges codes for tokens (RFC 6749, 4.1.3). */
final class TokenEndpoint {
    private static final int MAX_TOKEN_LENGTH = 65_536;
    private static final Duration MAX_LIFETIME = Duration.ofDays(3650);
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    /** Errors of the application's settings, not of the code (RFC 6749, 5.2, and GitHub's own). */
    private static final Set<String> APPLICATION_ERRORS = Set.of(
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "invalid_scope",
            "incorrect_client_credentials",
            "redirect_uri_mismatch");

    private final ProviderClient client;
    private final AppleClientSecret appleSecret;
    private final Clock clock;

    TokenEndpoint(ProviderClient client, AppleClientSecret appleSecret, Clock clock) {
        this.client = client;
        this.appleSecret = appleSecret;
        this.clock = clock;
    }

    /** A 401 if the provider refuses the code. */
    Future<ProviderTokens> exchange(ProviderConnection connection, ProviderMetadata metadata, CodeExchange exchange) {
        var form = new FormParameters()
                .set("grant_type", "authorization_code")
                .set("code", exchange.code())
                .set("redirect_uri", exchange.redirectUri().toString())
                .set("code_verifier", metadata.pkce() ? exchange.codeVerifier() : null)
                .setAll(tokenParameters(connection, exchange.state()));
        var clientId = connection.settings().clientId();
        @Nullable String authorization = null;
        switch (metadata.clientAuthentication()) {
            case BASIC -> authorization = basic(clientId, connection.clientSecret());
            case POST -> form.set("client_id", clientId).set("client_secret", connection.clientSecret());
            case APPLE_JWT ->
                form.set("client_id", clientId).set("client_secret", appleSecret.of(connection, metadata));
        }
        return client.post(connection, metadata.tokenEndpoint(), authorization, form)
                .map(response -> tokens(connection, response));
    }

    private static Map<String, String> tokenParameters(ProviderConnection connection, String state) {
        var parameters = new LinkedHashMap<String, String>();
        connection
                .entry()
                .tokenParameters()
                .forEach((name, value) -> parameters.put(name, value.replace("{state}", state)));
        return parameters;
    }

    /** Both are encoded first (RFC 6749, 2.3.1), so each may contain a colon. */
    private static String basic(String clientId, String secret) {
        var pair = FormParameters.encode(clientId) + ":" + FormParameters.encode(secret);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** GitHub and Naver send errors with the status 200. */
    private ProviderTokens tokens(ProviderConnection connection, JsonResponse response) {
        var json = response.json();
        if (response.status() >= SERVER_ERROR || response.status() == TOO_MANY_REQUESTS || !json.isObject()) {
            throw ProviderException.unusable(
                    connection, "its token endpoint responded with status " + response.status());
        }
        if (!response.isSuccess() || json.has("error")) {
            throw error(connection, response);
        }
        var accessToken = token(json, "access_token");
        if (accessToken == null) {
            throw ProviderException.unusable(connection, "its token endpoint gave no access token");
        }
        return new ProviderTokens(
                accessToken, token(json, "refresh_token"), token(json, "id_token"), expiry(json), scopes(json));
    }

    private static RuntimeException error(ProviderConnection connection, JsonResponse response) {
        var error = response.json().path("error").asText();
        if (APPLICATION_ERRORS.contains(error)) {
            return ProviderException.misconfigured(connection, "its token endpoint responded with the error " + error);
        }
        return response.status() == UNAUTHORIZED && !error.equals("invalid_grant")
                ? ProviderException.misconfigured(connection, "its token endpoint does not accept the client secret")
                : ProviderException.unproven(connection, "the provider refused the code");
    }

    private static @Nullable String token(JsonNode json, String name) {
        var text = json.path(name).textValue();
        var isToken = text != null
                && !text.isEmpty()
                && text.length() <= MAX_TOKEN_LENGTH
                && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
        return isToken ? text : null;
    }

    /** A number of seconds, which Naver writes as a string. */
    private @Nullable Instant expiry(JsonNode json) {
        var seconds = json.path("expires_in").asLong(0);
        return seconds <= 0 || seconds > MAX_LIFETIME.toSeconds()
                ? null
                : clock.instant().plusSeconds(seconds);
    }

    /**
     * Separated by spaces, or by commas at GitHub; some, such as X, leave them out if they granted all of the request.
     */
    private static List<String> scopes(JsonNode json) {
        var text = json.path("scope").asText("");
        return new ArrayList<>(
                Stream.of(text.split("[ ,]+")).filter(scope -> !scope.isEmpty()).toList());
    }
}
