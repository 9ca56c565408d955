package dev.vestibule.mail.sms;

import dev.vestibule.crypto.WebhookKey;
import dev.vestibule.json.Json;
import dev.vestibule.mail.UndeliverableException;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The operator's endpoint, which forwards SMS to a carrier. Requests have a Standard Webhooks signature, and their id
 * stays the same for all retries. Unlike the endpoint of a webhook, it can be in a private network: only the operator
 * can set it, and no part of its URL comes from a request.
 */
final class SmsEndpoint {
    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int BAD_REQUEST = 400;
    private static final int UNPROCESSABLE = 422;

    /** The data of a request to the endpoint. */
    record Message(
            String id,
            String to,
            String text,
            String code,
            String kind,
            String language,
            String projectId,
            String projectName) {
        @Override
        public String toString() {
            return "Message[" + id + "]"; // numbers and codes have no place in a log
        }
    }

    private final OutboundClient client;
    private final Destination destination;
    private final WebhookKey key;
    private final Clock clock;

    SmsEndpoint(OutboundClient client, Destination destination, WebhookKey key, Clock clock) {
        this.client = client;
        this.destination = destination;
        this.key = key;
        this.clock = clock;
    }

    /** Fails with an {@link UndeliverableException} if the endpoint will never send this SMS. */
    Future<Void> send(Message message) {
        var now = clock.instant();
        var body = Json.encode(Map.of("type", "sms.send", "timestamp", now, "data", data(message)));
        var timestamp = now.getEpochSecond();
        var headers = HttpHeaders.headers()
                .set(HttpHeaders.CONTENT_TYPE, "application/json")
                .set(HttpHeaders.USER_AGENT, "Vestibule-SMS")
                .set("webhook-id", message.id())
                .set("webhook-timestamp", Long.toString(timestamp))
                .set("webhook-signature", key.sign(message.id(), timestamp, body.getBytes()));
        return client.send(HttpMethod.POST, destination, headers, body).compose(SmsEndpoint::judge);
    }

    private static Map<String, String> data(Message message) {
        var data = new LinkedHashMap<String, String>();
        data.put("to", message.to());
        data.put("text", message.text());
        data.put("code", message.code());
        data.put("kind", message.kind());
        data.put("language", message.language());
        data.put("projectId", message.projectId());
        data.put("projectName", message.projectName());
        return data;
    }

    /** Never quotes the response, which may repeat the number. */
    private static Future<Void> judge(OutboundResponse response) {
        var status = response.status();
        if (status >= OK && status < REDIRECTION) {
            return Future.succeededFuture();
        }
        var text = "the endpoint answered with status " + status;
        return Future.failedFuture(
                status == BAD_REQUEST || status == UNPROCESSABLE
                        ? new UndeliverableException(text)
                        : new IOException(text));
    }

    Future<Void> close() {
        return client.close();
    }
}
