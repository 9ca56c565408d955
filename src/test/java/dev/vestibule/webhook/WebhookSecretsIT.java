package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ProjectId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Those who can see a signing secret, its rotation, and that a copy of the database does not reveal it. */
@ExtendWith(WithServer.class)
class WebhookSecretsIT {
    private static final String FIRST = "the first master secret that is long enough to be one";
    private static final String NEXT = "the next master secret that is long enough to be one";

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;
    private final TestWebhook webhook;

    WebhookSecretsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SECRET", FIRST), clock);
        project = server.newProject();
        webhook = TestWebhook.create(server, project, "http://127.0.0.1:1/");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Response rotate() {
        return webhook.call("POST", "/rotate-secret").expect(200);
    }

    private String open(String masterSecret, String column, TestWebhook in) {
        var sealed = HexFormat.of()
                .parseHex(server.sql()
                        .texts("SELECT encode(" + column + ", 'hex') FROM webhooks WHERE id = ?::uuid", in.id())
                        .get(0));
        var keys = new MasterKeys(MasterSecret.fromSetting(masterSecret), List.of());
        return SigningSecret.open(
                        new Sealer(keys, "webhook secrets"),
                        ProjectId.parse(in.project().id()).orElseThrow(),
                        UUID.fromString(in.id()),
                        sealed)
                .text();
    }

    private String secret() {
        return open(FIRST, "sealed_secret", webhook);
    }

    private String previousSecret() {
        return open(FIRST, "sealed_previous_secret", webhook);
    }

    @Test
    void aNewSecretIsShownOnceAndThePreviousOneSignsForADay() {
        var rotated = rotate();

        assertThat(rotated.json().fieldNames())
                .toIterable()
                .containsExactly("id", "signingSecret", "previousSecretExpiresAt");
        assertThat(rotated.text("id")).isEqualTo(webhook.id());
        assertThat(rotated.text("signingSecret"))
                .isNotEqualTo(webhook.signingSecret())
                .isEqualTo(secret());
        assertThat(previousSecret()).isEqualTo(webhook.signingSecret());
        assertThat(Instant.parse(rotated.text("previousSecretExpiresAt")))
                .isEqualTo(clock.instant().plus(Duration.ofHours(24)));
        assertThat(webhook.call("GET", "").expect(200).body()).doesNotContain("whsec_", "ecret");
    }

    @Test
    void aSecondRotationDropsTheOlderSecret() {
        var first = rotate();
        clock.advance(Duration.ofHours(1));
        var second = rotate();

        assertThat(secret()).isEqualTo(second.text("signingSecret"));
        assertThat(previousSecret()).isEqualTo(first.text("signingSecret"));
        assertThat(Instant.parse(second.text("previousSecretExpiresAt")))
                .isEqualTo(clock.instant().plus(Duration.ofHours(24)));
    }

    @Test
    void afterConcurrentRotationsTheLastTwoSecretsSign() {
        var shown = Parallel.send(8, number -> webhook.call("POST", "/rotate-secret")).stream()
                .map(answer -> answer.text("signingSecret"))
                .toList();

        assertThat(shown).doesNotHaveDuplicates().contains(secret(), previousSecret());
    }

    @Test
    void aSecretIsStoredSealedAndOpensOnlyInItsOwnRow() {
        var bytes = webhook.signingSecret().substring("whsec_".length());
        var row = server.sql().texts("SELECT webhooks::text FROM webhooks WHERE id = ?::uuid", webhook.id());
        assertThat(row.toString()).doesNotContain(bytes);
        assertThat(secret()).isEqualTo(webhook.signingSecret());

        var other = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        server.sql()
                .update(
                        "UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = ?::uuid)"
                                + " WHERE id = ?::uuid",
                        webhook.id(),
                        other.id());
        assertThatThrownBy(() -> open(FIRST, "sealed_secret", other)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aNewMasterSecretSealsBothSecretsAgain() {
        var current = rotate().text("signingSecret");
        var other = TestWebhook.create(server, server.newProject(), "http://127.0.0.1:1/");
        server.close();

        try (var rotated = TestServer.startOn(
                server.databaseUrl(),
                Map.of("VESTIBULE_SECRET", NEXT, "VESTIBULE_PREVIOUS_SECRETS", FIRST),
                Clock.tickMillis(ZoneOffset.UTC))) {
            Eventually.until(
                    "all are sealed by the new secret",
                    () -> isSealedByNext("sealed_secret", webhook)
                            && isSealedByNext("sealed_previous_secret", webhook)
                            && isSealedByNext("sealed_secret", other));
            rotated.api().get("/v1/dashboard/webhooks").key(project.secretKey()).expect(200);
        }
        assertThat(open(NEXT, "sealed_secret", webhook)).isEqualTo(current);
        assertThat(open(NEXT, "sealed_previous_secret", webhook)).isEqualTo(webhook.signingSecret());
        assertThat(open(NEXT, "sealed_secret", other)).isEqualTo(other.signingSecret());
    }

    private boolean isSealedByNext(String column, TestWebhook in) {
        try {
            return !open(NEXT, column, in).isEmpty();
        } catch (IllegalStateException notYet) {
            return false;
        }
    }
}
