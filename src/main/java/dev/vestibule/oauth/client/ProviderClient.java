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

/** Sends requests to providers and reads their answers as JSON. */
final class ProviderClient {
    private static final int MAX_BODY = 256 * 1024;
    private static final int MAX_CONNECTIONS_PER_HOST = 50;
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);
    /** Shorter than that of servers: a code must not be lost on a connection that is just being closed. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private static final String USER_AGENT = "Vestibule"; // without one, GitHub refuses
    private static final Set<Reason> NOTHING_SENT = Set.of(Reason.NO_CONNECTION, Reason.NAME_NOT_FOUND);

    private final OutboundClient guarded;
    private final OutboundClient trusted;

    /** An answer of any status; missing where it is no JSON. */
    record Answer(int status, JsonNode json) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    ProviderClient(Vertx vertx, OauthSettings settings) {
        var timeout = settings.timeout();
        var limits = new Limits(
                timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT,
                timeout,
                MAX_BODY,
                MAX_CONNECTIONS_PER_HOST,
                KEEP_ALIVE);
        this.guarded = new OutboundClient(vertx, limits, settings.allowPrivateIssuers());
        this.trusted = new OutboundClient(vertx, limits, true);
    }

    /** With the access token, where there is one. */
    Future<Answer> get(ProviderConnection connection, URI url, @Nullable String accessToken) {
        var headers = headers();
        if (accessToken != null) {
            headers.set(HttpHeaders.AUTHORIZATION, "Bearer " + accessToken);
        }
        return send(connection, HttpMethod.GET, url, headers, null);
    }

    Future<Answer> post(ProviderConnection connection, URI url, @Nullable String authorization, FormParameters form) {
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

    /** Once more where the connection failed, unless a code may have reached the provider, and be used up. */
    private Future<Answer> send(
            ProviderConnection connection, HttpMethod method, URI url, MultiMap headers, @Nullable Buffer body) {
        var client = connection.entry().isIssuerOfProject() ? guarded : trusted;
        return client.send(method, url, headers, body)
                .recover(failure -> failure instanceof OutboundException known && mayRepeat(method, known.reason())
                        ? client.send(method, url, headers, body)
                        : Future.failedFuture(failure))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OutboundException known
                                ? ProviderErrors.unreachable(connection, String.valueOf(known.getMessage()))
                                : failure))
                .map(response -> answer(connection, response));
    }

    private static boolean mayRepeat(HttpMethod method, Reason reason) {
        return NOTHING_SENT.contains(reason) || (method.equals(HttpMethod.GET) && reason == Reason.CLOSED);
    }

    private static Answer answer(ProviderConnection connection, OutboundResponse response) {
        if (response.isTruncated()) {
            throw ProviderErrors.unusable(connection, "the answer is too long, or broke off");
        }
        try {
            return new Answer(response.status(), Json.parse(response.body()));
        } catch (MalformedJsonException malformed) {
            return new Answer(response.status(), MissingNode.getInstance());
        }
    }
}
