package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class WebhookDeliveryIT {
    private final TestDatabase database;
    private final WithWebhooks webhooks;

    WebhookDeliveryIT(TestDatabase database) {
        this.database = database;
        this.webhooks = WithWebhooks.start(database);
    }

    @AfterEach
    void stop() {
        webhooks.close();
    }

    @Test
    void aFailedDeliveryIsRetriedWithTheSameId() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver().answer("/in", 500, "not now");

        project.signUp();
        webhooks.awaitDelivery(endpoint, "waiting", 1);

        assertThat(webhooks.pause(endpoint)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(7));
        assertThat(webhooks.delivery(endpoint, "response_status")).isEqualTo("500");
        assertThat(webhooks.delivery(endpoint, "response_body")).isEqualTo("not now");
        Eventually.until(
                "it counts as failing",
                () -> !webhooks.webhook(endpoint, "failing_since").equals("null"));

        webhooks.receiver().answer("/in", 204, "");
        webhooks.awaitNextAttempt(endpoint);
        var received = webhooks.receiver().await("/in", 2);
        webhooks.awaitDelivery(endpoint, "delivered", 2);
        assertThat(received)
                .extracting(one -> one.header("webhook-id"))
                .containsOnly(webhooks.delivery(endpoint, "event_id"));
        assertThat(received.get(0).header("webhook-timestamp"))
                .isNotEqualTo(received.get(1).header("webhook-timestamp"));
        Eventually.until(
                "it no longer counts as failing",
                () -> webhooks.webhook(endpoint, "failing_since").equals("null"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308, 400, 404, 429, 503})
    void everyOtherStatusIsAFailureAndARedirectIsNotFollowed(int status) {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver()
                .answer(
                        "/in",
                        request -> request.response()
                                .setStatusCode(status)
                                .putHeader("location", webhooks.receiver().url("/elsewhere"))
                                .end());

        project.signUp();
        webhooks.awaitDelivery(endpoint, "waiting", 1);

        assertThat(webhooks.delivery(endpoint, "response_status")).isEqualTo(Integer.toString(status));
        assertThat(webhooks.receiver().to("/elsewhere")).isEmpty();
    }

    @Test
    void theLogSaysWhyThereIsNoResponse() {
        var project = webhooks.server().newProject();
        webhooks.receiver().answer("/closing", request -> request.connection().close());
        var errors = Map.of(
                webhooks.subscribe(project, "/closing"), "the connection was closed before a response",
                webhooks.subscribeTo(project, "http://127.0.0.1:1/"), "the connection was refused or not possible",
                webhooks.subscribeTo(project, "http://nowhere.invalid/"), "the name of the host was not found",
                webhooks.subscribeTo(project, webhooks.receiver().url("/tls").replace("http", "https")),
                        "TLS failed: the certificate or the protocol is not acceptable");

        project.signUp();

        errors.forEach((endpoint, error) -> {
            webhooks.awaitDelivery(endpoint, "waiting", 1);
            assertThat(webhooks.delivery(endpoint, "error")).isEqualTo(error);
            assertThat(webhooks.delivery(endpoint, "response_status")).isEqualTo("null");
        });
    }

    @Test
    void theLogSaysThatAnEndpointTookTooLong() {
        try (var impatient = WithWebhooks.start(database, WithWebhooks.impatience())) {
            var project = impatient.server().newProject();
            impatient.receiver().hang("/hanging");
            var endpoint = impatient.subscribe(project, "/hanging");

            project.signUp();

            impatient.awaitDelivery(endpoint, "waiting", 1);
            assertThat(impatient.delivery(endpoint, "error")).isEqualTo("no response in time");
            assertThat(impatient.delivery(endpoint, "response_status")).isEqualTo("null");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"120", "Wed, 21 Oct 2099 07:28:00 GMT"})
    void anEndpointCanAskForALongerPause(String retryAfter) {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver()
                .answer(
                        "/in",
                        request -> request.response()
                                .setStatusCode(503)
                                .putHeader("retry-after", retryAfter)
                                .end());

        project.signUp();
        webhooks.awaitDelivery(endpoint, "waiting", 1);

        var asked = retryAfter.equals("120") ? Duration.ofMinutes(2) : Duration.ofHours(24);
        assertThat(webhooks.pause(endpoint)).isBetween(asked, asked.plusSeconds(2));
    }

    @Test
    void aDeliveryIsDeadAfterThreeDaysOfAttempts() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver().answer("/in", 500, "");
        var start = webhooks.clock().instant();

        project.signUp();
        for (int attempts = 1; attempts <= 10; attempts++) {
            webhooks.awaitDelivery(endpoint, "waiting", attempts);
            webhooks.awaitNextAttempt(endpoint);
        }

        webhooks.awaitDelivery(endpoint, "dead", 11);
        assertThat(Duration.between(start, webhooks.clock().instant()))
                .isBetween(Duration.ofHours(60), Duration.ofHours(91));
        assertThat(webhooks.webhook(endpoint, "status")).isEqualTo("active");
    }

    @Test
    void aResponse410DisablesTheEndpointAtOnce() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver().answer("/in", 410, "");

        project.signUp();

        Eventually.until(
                "it is disabled", () -> webhooks.webhook(endpoint, "status").equals("disabled"));
        webhooks.awaitDelivery(endpoint, "waiting", 1);
    }

    @Test
    void fiveDaysOfFailuresDisableAnEndpointUntilItIsEnabledAgain() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver().answer("/in", 500, "");
        project.signUp();
        Eventually.until(
                "it counts as failing",
                () -> !webhooks.webhook(endpoint, "failing_since").equals("null"));

        webhooks.clock().advance(Duration.ofDays(5).minusMinutes(1));
        webhooks.awaitDelivery(endpoint, "waiting", 2);
        assertThat(webhooks.webhook(endpoint, "status")).isEqualTo("active");
        webhooks.clock().advance(Duration.ofMinutes(2));
        Eventually.until(
                "it is disabled", () -> webhooks.webhook(endpoint, "status").equals("disabled"));

        Eventually.until(
                "nothing is in flight",
                () -> webhooks.delivery(endpoint, "claimed_until").equals("null"));
        var attempts = Integer.parseInt(webhooks.delivery(endpoint, "attempts"));
        webhooks.receiver().answer("/in", 200, "");
        var before = webhooks.receiver().to("/in").size();
        webhooks.clock().advance(Duration.ofDays(1));
        var other = webhooks.server().newProject();
        webhooks.subscribe(other, "/other");
        other.signUp();
        webhooks.receiver().await("/other", 1);
        assertThat(webhooks.receiver().to("/in")).hasSize(before);

        webhooks.server()
                .sql()
                .update(
                        "UPDATE webhooks SET status = 'active', failing_since = NULL WHERE id = ?::uuid",
                        endpoint.id());
        webhooks.awaitDelivery(endpoint, "delivered", attempts + 1);
    }

    @Test
    void aBinaryResponseIsKeptAsText() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.receiver().answer("/in", 200, "a\u0000b" + "é".repeat(1000));

        project.signUp();
        webhooks.awaitDelivery(endpoint, "delivered", 1);

        assertThat(webhooks.delivery(endpoint, "response_body")).isEqualTo("a\ufffdb" + "é".repeat(510));
    }

    @Test
    void aDamagedRowDoesNotStopOthers() {
        var project = webhooks.server().newProject();
        var damaged = webhooks.subscribe(project, "/damaged");
        var endpoint = webhooks.subscribe(project, "/in");
        webhooks.server()
                .sql()
                .update("UPDATE webhooks SET sealed_secret = 'damaged' WHERE id = ?::uuid", damaged.id());

        project.signUp();

        webhooks.awaitDelivery(endpoint, "delivered", 1);
        webhooks.awaitDelivery(damaged, "waiting", 1);
        assertThat(webhooks.delivery(damaged, "error")).contains("signing secret");
        assertThat(webhooks.webhook(damaged, "failing_since")).isEqualTo("null");
        assertThat(webhooks.receiver().to("/damaged")).isEmpty();
        // Otherwise the server would try again, and warn, for as long as other classes use it.
        webhooks.server().sql().update("UPDATE webhooks SET status = 'disabled' WHERE id = ?::uuid", damaged.id());
    }

    /** Without a wake-up, as if the node that wrote the event had died. */
    @Test
    void thePollTimerFindsDeliveriesWithoutAWakeUp() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");

        webhooks.insertDelivery(project, endpoint, "{\"odd\":\"\\u0000 🎈\"}");

        assertThat(webhooks.receiver().await("/in", 1).get(0).body()).isEqualTo("{\"odd\":\"\\u0000 🎈\"}");
    }
}
