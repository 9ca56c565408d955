package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.server.ClientMetadata.Origin;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata documents of clients whose id is a URL (draft-ietf-oauth-client-id-metadata-document). The URL
 * comes from strangers, so only public addresses are asked, no redirect is followed, and all is small and short.
 */
final class ClientDocuments {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_BYTES = 5 * 1024;
    private static final int CONNECTIONS = 4;
    private static final int OK = 200;
    private static final List<String> METHODS = List.of(Client.NONE, Client.PRIVATE_KEY_JWT);
    private static final Duration SHORTEST = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration FAILURE = Duration.ofMinutes(1);
    private static final int FAILURES = 10_000;
    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[ ,])max-age=([0-9]{1,9})(?:$|[ ,])");

    private final OutboundClient client;
    private final boolean allowPrivate;
    private final Clock clock;
    private final Cache<String, Boolean> failures = Caffeine.newBuilder()
            .maximumSize(FAILURES)
            .expireAfterWrite(FAILURE)
            .build();

    ClientDocuments(Vertx vertx, boolean allowPrivate, Clock clock) {
        this.client = new OutboundClient(
                vertx,
                new OutboundClient.Limits(TIMEOUT, TIMEOUT, MAX_BYTES, CONNECTIONS, Duration.ofSeconds(1)),
                allowPrivate);
        this.allowPrivate = allowPrivate;
        this.clock = clock;
    }

    /** Whether the text can be the id of such a client: an https URL with a path and without a fragment. */
    boolean isUrl(String id) {
        try {
            var url = RedirectUrl.of(id);
            return (url.scheme().equals("https") || allowPrivate)
                    && url.path().length() > 1
                    && !id.contains("#")
                    && url.isUri(); // browsers accept more
        } catch (InvalidValueException other) {
            return false;
        }
    }

    /** Whether the document was wrong a moment ago, so that it is not asked for again. */
    boolean hasJustFailed(String id) {
        return failures.getIfPresent(id) != null;
    }

    /** The client as its document says now; empty if there is none, or it is wrong. */
    Future<Optional<Client>> read(String id) {
        if (hasJustFailed(id)) {
            return Future.succeededFuture(Optional.empty());
        }
        var headers = MultiMap.caseInsensitiveMultiMap().set(HttpHeaders.ACCEPT, "application/json");
        return client.send(HttpMethod.GET, URI.create(id), headers, null)
                .map(response -> client(id, response))
                .recover(failure -> failure instanceof OutboundException
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure))
                .onSuccess(found -> {
                    if (found.isEmpty()) {
                        failures.put(id, true);
                    }
                });
    }

    private Optional<Client> client(String id, OutboundResponse response) {
        var type = response.headers().get(HttpHeaders.CONTENT_TYPE);
        if (response.status() != OK
                || response.isTruncated()
                || response.body().length() > MAX_BYTES
                || type == null
                || !type.split(";", 2)[0].strip().matches("application/([a-z0-9.-]+\\+)?json")) {
            return Optional.empty();
        }
        try {
            return client(
                    id, Json.parse(response.body()), freshFor(response.headers().get(HttpHeaders.CACHE_CONTROL)));
        } catch (MalformedJsonException wrong) {
            return Optional.empty();
        }
    }

    /** A document's keys are behind its {@code jwks_uri}: its own size is limited. */
    private Optional<Client> client(String id, JsonNode document, Duration freshFor) {
        if (!id.equals(document.path("client_id").textValue())
                || document.has("client_secret")
                || document.has("jwks")) {
            return Optional.empty();
        }
        var now = clock.instant();
        try {
            return Optional.of(
                    ClientMetadata.read(document, RedirectUrl.of(id).host(), METHODS, new OwnUrls(allowPrivate, false))
                            .client(id, ClientKind.DOCUMENT, new Origin(false, now.plus(freshFor), now, now)));
        } catch (OauthError wrong) {
            return Optional.empty();
        }
    }

    private static Duration freshFor(@Nullable String cacheControl) {
        var age = MAX_AGE.matcher(cacheControl == null ? "" : cacheControl);
        return age.find()
                ? Collections.min(List.of(
                        LONGEST, Collections.max(List.of(SHORTEST, Duration.ofSeconds(Long.parseLong(age.group(1)))))))
                : SHORTEST;
    }
}
