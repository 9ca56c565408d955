package dev.vestibule.webhook.delivery;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.json.Timestamps;
import dev.vestibule.webhook.SigningSecret;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.util.Objects;

/**
 * Signs deliveries with two schemes at once, since a receiver knows one of them: Standard Webhooks 1.0, with both
 * secrets during a rotation; and the scheme of the Authon client libraries, which accept exactly one signature, that of
 * the new secret.
 */
public final class DeliverySigning {
    private static final int MAX_SECRETS = 10_000;

    private final Cache<SealedSecret, SigningSecret> opened =
            Caffeine.newBuilder().maximumSize(MAX_SECRETS).build();
    private final Sealer sealer;

    private record SealedSecret(WebhookId webhook, Buffer sealed) {}

    public DeliverySigning(Sealer sealer) {
        this.sealer = sealer;
    }

    /** Throws if a secret cannot be opened. */
    MultiMap headers(Claim claim, byte[] body, Instant now) {
        var id = claim.event().toString();
        var timestamp = now.getEpochSecond();
        var time = Timestamps.format(now);
        var endpoint = claim.endpoint();
        var secret = open(endpoint, Objects.requireNonNull(endpoint.sealedSecret()));
        var signatures = secret.sign(id, timestamp, body);
        var previous = endpoint.sealedPreviousSecret();
        var expiresAt = endpoint.previousSecretExpiresAt();
        if (previous != null && expiresAt != null && expiresAt.isAfter(now)) {
            signatures += " " + open(endpoint, previous).sign(id, timestamp, body);
        }
        return HttpHeaders.headers()
                .set("webhook-id", id)
                .set("webhook-timestamp", Long.toString(timestamp))
                .set("webhook-signature", signatures)
                .set("X-Authon-Timestamp", time)
                .set("X-Authon-Signature", secret.signAsText(time, body));
    }

    private SigningSecret open(Endpoint endpoint, Buffer sealed) {
        return opened.get(
                new SealedSecret(endpoint.id(), sealed),
                key -> SigningSecret.open(
                        sealer, endpoint.project(), endpoint.id().value(), sealed.getBytes()));
    }
}
