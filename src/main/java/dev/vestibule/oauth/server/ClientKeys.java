package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.jose.PublishedKey;
import dev.vestibule.oauth.jose.RemoteKeys;
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
import org.jspecify.annotations.Nullable;

/**
 * The public keys of clients, and of the issuers that they trust: those that are registered, or those that are
 * published, which are read from public addresses only, without redirects.
 */
final class ClientKeys {
    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 4;
    private static final int OK = 200;

    /** How long a key that its client has withdrawn may still be accepted. */
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    private final OutboundClient client;
    private final OwnUrls urls;
    private final RemoteKeys<String> published;
    private final RemoteKeys<String> ofIssuers;

    ClientKeys(Vertx vertx, OauthSettings settings, OwnUrls urls, Clock clock) {
        this.urls = urls;
        this.client = new OutboundClient(
                vertx,
                new OutboundClient.Limits(TIMEOUT, TIMEOUT, PublishedKey.MAX_SET_BYTES, CONNECTIONS, KEEP_ALIVE),
                settings.allowPrivateIssuers());
        var retry = settings.clientKeysRetry();
        this.published = new RemoteKeys<>(vertx, settings, LIFETIME, retry, clock);
        this.ofIssuers = new RemoteKeys<>(vertx, settings, LIFETIME, retry, clock);
    }

    /** The keys at the moment, with the one that has the id if there is one; none if they cannot be read. */
    Future<List<PublishedKey>> find(Client of, @Nullable String keyId) {
        var registered = of.jwks();
        var uri = of.jwksUri();
        if (registered != null || uri == null) {
            return Future.succeededFuture(registered == null ? List.of() : RegisteredKeys.of(registered));
        }
        return orNone(published.find(uri, keyId, () -> load(uri)));
    }

    /** The keys of the issuer of a workload's tokens; none if they cannot be read. */
    Future<List<PublishedKey>> find(FederatedIdentity of, @Nullable String keyId) {
        var known = of.jwks();
        var issuer = of.issuer();
        return known == null
                ? orNone(ofIssuers.find(issuer, keyId, () -> discover(issuer)))
                : Future.succeededFuture(RegisteredKeys.of(known));
    }

    private static Future<List<PublishedKey>> orNone(Future<List<PublishedKey>> keys) {
        return keys.recover(failure -> failure instanceof OutboundException
                ? Future.succeededFuture(List.of())
                : Future.failedFuture(failure));
    }

    /** The document of an issuer must be its own, and its keys can be anywhere (OpenID Connect Discovery 1.0, 4.3). */
    private Future<List<PublishedKey>> discover(String issuer) {
        var base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return get(base + DISCOVERY).compose(document -> {
            var uri = document.path("jwks_uri").asText("");
            return issuer.equals(document.path("issuer").textValue()) && isAllowed(uri)
                    ? load(uri)
                    : Future.succeededFuture(List.of());
        });
    }

    private boolean isAllowed(String uri) {
        try {
            return !urls.keys(uri).isEmpty();
        } catch (InvalidValueException refused) {
            return false;
        }
    }

    private Future<List<PublishedKey>> load(String uri) {
        return get(uri).map(set -> PublishedKey.ofSet(set).orElse(List.of()));
    }

    /** What is at the URL; a missing node if it is no JSON or cannot be had. */
    private Future<JsonNode> get(String uri) {
        var headers = MultiMap.caseInsensitiveMultiMap()
                .set(HttpHeaders.ACCEPT, "application/jwk-set+json, application/json");
        return client.send(HttpMethod.GET, URI.create(uri), headers, null)
                .map(response -> response.status() == OK && !response.isTruncated()
                        ? parsed(response)
                        : MissingNode.getInstance());
    }

    private static JsonNode parsed(OutboundResponse response) {
        try {
            return Json.parse(response.body());
        } catch (MalformedJsonException malformed) {
            return MissingNode.getInstance();
        }
    }
}
