package dev.vestibule.oauth.server;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.keys.PublishedKey;
import dev.vestibule.oauth.keys.RemoteKeys;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of clients: those that are registered, or those that the client publishes, which are read from public
 * addresses only, without redirects.
 */
final class ClientKeys {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 64 * 1024;
    private static final int CONNECTIONS = 4;
    private static final int OK = 200;

    /** How long a key that its client has withdrawn may still be accepted. */
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    private final OutboundClient client;
    private final RemoteKeys<String> published;

    ClientKeys(Vertx vertx, OauthSettings settings, Clock clock) {
        this.client = new OutboundClient(
                vertx,
                new OutboundClient.Limits(TIMEOUT, TIMEOUT, MAX_BYTES, CONNECTIONS, KEEP_ALIVE),
                settings.allowPrivateIssuers());
        this.published = new RemoteKeys<>(vertx, settings.cacheSize(), LIFETIME, clock);
    }

    /** The keys at the moment, with the one that has the id if there is one; none if they cannot be read. */
    Future<List<PublishedKey>> find(Client of, @Nullable String keyId) {
        var registered = of.jwks();
        var uri = of.jwksUri();
        if (registered != null || uri == null) {
            return Future.succeededFuture(registered == null ? List.of() : registered(registered));
        }
        return published
                .find(uri, keyId, () -> load(uri))
                .recover(failure -> failure instanceof OutboundException
                        ? Future.succeededFuture(List.of())
                        : Future.failedFuture(failure));
    }

    /** The keys of a key set that is part of a registration. */
    static List<PublishedKey> registered(Map<String, Object> jwks) {
        return PublishedKey.ofSet(Json.parse(Json.encode(jwks))).orElse(List.of());
    }

    private Future<List<PublishedKey>> load(String uri) {
        var headers = MultiMap.caseInsensitiveMultiMap()
                .set(HttpHeaders.ACCEPT, "application/jwk-set+json, application/json");
        return client.send(HttpMethod.GET, URI.create(uri), headers, null)
                .map(response -> response.status() == OK && !response.isTruncated()
                        ? parsed(response).orElse(List.of())
                        : List.of());
    }

    private static Optional<List<PublishedKey>> parsed(OutboundResponse response) {
        try {
            return PublishedKey.ofSet(Json.parse(response.body()));
        } catch (MalformedJsonException malformed) {
            return Optional.empty();
        }
    }
}
