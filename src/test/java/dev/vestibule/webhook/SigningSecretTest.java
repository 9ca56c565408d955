package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.project.ProjectId;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SigningSecretTest {
    private static final ProjectId PROJECT = new ProjectId(UUID.randomUUID());
    private static final UUID WEBHOOK = UUID.randomUUID();

    private final Sealer sealer = new Sealer(
            new MasterKeys(MasterSecret.fromSetting("a master secret of 32 bytes or more"), List.of()), "test");

    @Test
    void theStandardWebhooksLibraryAcceptsASignature() throws Exception {
        var secret = SigningSecret.generate();
        var body = "{\"type\":\"user.created\",\"name\":\"Zoë 🎈\"}";
        var now = Clock.systemUTC().instant().getEpochSecond();

        var signature = secret.sign("an-id", now, body.getBytes(StandardCharsets.UTF_8));

        var headers = HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of("an-id"),
                        "webhook-timestamp", List.of(Long.toString(now)),
                        "webhook-signature", List.of(signature)),
                (name, value) -> true);
        new Webhook(secret.text()).verify(body, headers);
        assertThatThrownBy(() -> new Webhook(SigningSecret.generate().text()).verify(body, headers))
                .isNotNull();
        assertThatThrownBy(() -> new Webhook(secret.text()).verify(body + " ", headers))
                .isNotNull();
    }

    @Test
    void aSecretHas32BytesAndToStringDoesNotShowThem() {
        var secret = SigningSecret.generate();
        var text = secret.text();
        assertThat(text)
                .startsWith("whsec_")
                .isNotEqualTo(SigningSecret.generate().text());
        assertThat(Base64.getDecoder().decode(text.substring("whsec_".length())))
                .hasSize(32);
        assertThat(secret.toString()).doesNotContain(text.substring("whsec_".length()));
    }

    @Test
    void aSealedSecretOpensOnlyForItsWebhook() {
        var secret = SigningSecret.generate();
        var sealed = secret.seal(sealer, PROJECT, WEBHOOK);

        assertThat(SigningSecret.open(sealer, PROJECT, WEBHOOK, sealed).text()).isEqualTo(secret.text());
        assertThatThrownBy(() -> SigningSecret.open(sealer, PROJECT, UUID.randomUUID(), sealed))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SigningSecret.open(sealer, new ProjectId(UUID.randomUUID()), WEBHOOK, sealed))
                .isInstanceOf(IllegalStateException.class);
    }
}
