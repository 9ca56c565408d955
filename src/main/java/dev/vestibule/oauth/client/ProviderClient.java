package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundClient.Limits;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.OutboundException.Reason;
import dev.vestibule.outbound.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sends requests to providers and reads their responses as JSON. */
final class ProviderClient {
    private static final int MAX_BODY = 256 * 1024;
    private static final int MAX_CONNECTIONS_PER_HOST = 50;
    private static final Duration MAX_CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** Shorter than that of servers, so that no code is sent on a connection that the server is closing. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private static final String USER_AGENT = "Vestibule"; // GitHub refuses requests without one
    private static final Set<Reason> NOTHING_SENT = Set.of(Reason.NO_CONNECTION, Reason.NAME_NOT_FOUND);

    private final OutboundClient guarded;
    private final OutboundClient trusted;

    /** A response of any status; the JSON is a missing node if the body is not JSON. */
    record JsonResponse(int status, JsonNode json, int bytes) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    ProviderClient(Vertx vertx, OauthSettings settings) {
        var timeout = settings.timeout();
        var limits = new Limits(
                timeout.compareTo(MAX_CONNECT_TIMEOUT) < 0 ? timeout : MAX_CONNECT_TIMEOUT,
                timeout,
                MAX_BODY,
                MAX_CONNECTIONS_PER_HOST,
                KEEP_ALIVE);
        this.guarded = new OutboundClient(vertx, limits, settings.allowPrivateIssuers());
        this.trusted = new OutboundClient(vertx, limits, true);
    }

    /** Sends the access token, if there is one. */
    Future<JsonResponse> get(ProviderConnection connection, URI url, @Nullable String accessToken) {
        var headers = headers();
        if (accessToken != null) {
            headers.set(HttpHeaders.AUTHORIZATION, "Bearer " + accessToken);
        }
        return send(connection, HttpMethod.GET, url, headers, null);
    }

    Future<JsonResponse> post(
            ProviderConnection connection, URI url, @Nullable String authorization, FormParameters form) {
        var headers = headers().set(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded");
        if (authorization != null) {
            headers.set(HttpHeaders.AUTHORIZATION, authorization);
        }
        return send(connection, HttpMethod.POST, url, headers, Buffer.buffer(form.encoded()));
    }

    private static MultiMap headers() {
        return HttpHeaders.headers()
                .set(HttpHeaders.ACCEPT, "application/json")
                .set(HttpHeaders.USER_AGENT, USER_AGENT);
    }

    /**
     * Retries once after a failed connection, unless the provider may have received the code, which works only once.
     */
    private Future<JsonResponse> send(
            ProviderConnection connection, HttpMethod method, URI url, MultiMap headers, @Nullable Buffer body) {
        var client = connection.entry().isIssuerOfProject() ? guarded : trusted;
        return client.send(method, url, headers, body)
                .recover(failure -> failure instanceof OutboundException known && mayRepeat(method, known.reason())
                        ? client.send(method, url, headers, body)
                        : Future.failedFuture(failure))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OutboundException known
                                ? ProviderException.unreachable(connection, String.valueOf(known.getMessage()))
                                : failure))
                .map(response -> read(connection, response));
    }

    private static boolean mayRepeat(HttpMethod method, Reason reason) {
        return NOTHING_SENT.contains(reason) || (method.equals(HttpMethod.GET) && reason == Reason.CLOSED);
    }

    private static JsonResponse read(ProviderConnection connection, OutboundResponse response) {
        if (response.isTruncated()) {
            throw ProviderException.unusable(connection, "its response is too long, or was cut off");
        }
        return new JsonResponse(
                response.status(), json(response.body()), response.body().length());
    }

    private static JsonNode json(Buffer body) {
        try {
            return Json.parse(body);
        } catch (MalformedJsonException malformed) {
            return MissingNode.getInstance();
        }
    }
}
