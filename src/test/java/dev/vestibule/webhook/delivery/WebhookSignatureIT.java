package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import dev.vestibule.fixture.WithWebhooks.Endpoint;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.SigningSecret;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class WebhookSignatureIT {
    private final WithWebhooks webhooks;

    WebhookSignatureIT(TestDatabase database) {
        this.webhooks = WithWebhooks.start(database);
    }

    @AfterEach
    void stop() {
        webhooks.close();
    }

    private static boolean isSigned(Received received, SigningSecret secret) {
        var headers = HttpHeaders.of(
                received.headers().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue()))),
                (name, value) -> true);
        try {
            new Webhook(secret.text()).verify(received.body(), headers);
            return true;
        } catch (WebhookVerificationException | EmptyWebhookSecretException refused) {
            return false;
        }
    }

    @Test
    void theStandardWebhooksLibraryAcceptsADelivery() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");

        var user = project.signUp().text("user/id");

        var received = webhooks.receiver().await("/in", 1).get(0);
        assertThat(isSigned(received, endpoint.secret())).isTrue();
        assertThat(isSigned(received, SigningSecret.generate())).isFalse();
        assertThat(received.header("content-type")).isEqualTo("application/json");
        assertThat(received.body()).contains("\"type\":\"user.created\"").contains(user);
        assertThat(received.body()).isEqualTo(payload(endpoint));
        assertThat(received.header("webhook-id")).isEqualTo(webhooks.delivery(endpoint, "event_id"));
        webhooks.awaitDelivery(endpoint, "delivered", 1);
        assertThat(webhooks.delivery(endpoint, "response_status")).isEqualTo("200");
        assertThat(webhooks.delivery(endpoint, "response_body")).isEqualTo("thanks");
        assertThat(webhooks.delivery(endpoint, "next_attempt_at")).isEqualTo("null");
        assertThat(webhooks.delivery(endpoint, "claimed_until")).isEqualTo("null");
        assertThat(webhooks.webhook(endpoint, "failing_since")).isEqualTo("null");
    }

    /** As the Authon server libraries check it. */
    private static boolean isSignedAsText(Received received, String secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            var signed = received.header("x-authon-timestamp") + "." + received.body();
            var expected = "v1=" + HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
            return expected.equals(received.header("x-authon-signature"));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void oneDeliveryIsSignedByBothRules() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");

        project.signUp();

        var received = webhooks.receiver().await("/in", 1).get(0);
        assertThat(isSigned(received, endpoint.secret())).isTrue();
        assertThat(isSignedAsText(received, endpoint.secret().text())).isTrue();
        assertThat(isSignedAsText(received, SigningSecret.generate().text())).isFalse();
        var sentAt = Instant.parse(received.header("x-authon-timestamp"));
        assertThat(sentAt.getEpochSecond()).hasToString(received.header("webhook-timestamp"));
        assertThat(received.header("x-authon-timestamp")).hasSize("2026-01-15T10:30:00.000Z".length());
    }

    private String payload(Endpoint endpoint) {
        return webhooks.server()
                .sql()
                .texts(
                        "SELECT payload FROM webhook_events JOIN webhook_deliveries ON event_id = id"
                                + " WHERE webhook_id = ?::uuid",
                        endpoint.id())
                .get(0);
    }

    @Test
    void bothSecretsSignDuringARotation() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        var fresh = SigningSecret.generate();
        var id = UUID.fromString(endpoint.id());
        webhooks.server()
                .sql()
                .update(
                        "UPDATE webhooks SET sealed_previous_secret = sealed_secret, sealed_secret = ?,"
                                + " previous_secret_expires_at = ?::timestamptz WHERE id = ?::uuid",
                        fresh.seal(WithWebhooks.sealer(), new ProjectId(UUID.fromString(project.id())), id),
                        webhooks.clock().instant().plusSeconds(60).toString(),
                        endpoint.id());

        project.signUp();
        var during = webhooks.receiver().await("/in", 1).get(0);
        webhooks.clock().advance(Duration.ofSeconds(60));
        project.signUp();
        var after = webhooks.receiver().await("/in", 2).get(1);

        assertThat(isSigned(during, fresh)).isTrue();
        assertThat(isSigned(during, endpoint.secret())).isTrue();
        assertThat(isSignedAsText(during, fresh.text())).isTrue();
        assertThat(during.header("x-authon-signature")).doesNotContain(" ", ",");
        assertThat(isSigned(after, fresh)).isTrue();
        assertThat(isSigned(after, endpoint.secret())).isFalse();
    }
}
