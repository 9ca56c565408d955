package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From the API to the endpoint and back to the log. The clock does not move, so no pause between attempts ever ends.
 */
@ExtendWith(WithServer.class)
class WebhookRoundTripIT {
    private final TestReceiver receiver = TestReceiver.start();
    private final TestServer server;
    private final TestProject project;
    /** Requests that have no response yet. */
    private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();

    WebhookRoundTripIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_WEBHOOKS_IN_FLIGHT_PER_ENDPOINT", "1"), new TestClock());
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
        receiver.close();
    }

    private TestWebhook create(String path) {
        return TestWebhook.create(server, project, receiver.url(path));
    }

    private static Response test(TestWebhook webhook) {
        return webhook.call("POST", "/test").expect(200);
    }

    private static void awaitDelivered(TestWebhook webhook, int count) {
        Eventually.until(
                count + " are delivered",
                () -> webhook.call("GET", "/deliveries?status=delivered")
                        .expect(200)
                        .text("total")
                        .equals(Integer.toString(count)));
    }

    private static String signature(String secret, Received received) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
            var signed =
                    received.header("webhook-id") + "." + received.header("webhook-timestamp") + "." + received.body();
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void aTestEventArrivesSignedAndMatchesTheLog() {
        var webhook = create("/hook");
        var sent = test(webhook).text("delivery/id");
        var received = receiver.await("/hook", 1).get(0);

        assertThat(received.header("webhook-id")).isEqualTo(sent);
        assertThat(received.header("webhook-signature")).isEqualTo(signature(webhook.signingSecret(), received));
        awaitDelivered(webhook, 1);
        var logged = webhook.call("GET", "/deliveries/" + sent).expect(200);
        assertThat(logged.body()).contains("\"payload\":" + received.body());
        assertThat(logged.text("attempts")).isEqualTo("1");
        assertThat(logged.text("responseStatus")).isEqualTo("200");
        assertThat(logged.text("responseBody")).isEqualTo("thanks");
        assertThat(logged.text("attemptedAt")).endsWith("Z");
    }

    @Test
    void bothSecretsSignAfterARotation() {
        var webhook = create("/hook");
        var next = webhook.call("POST", "/rotate-secret").expect(200).text("signingSecret");
        test(webhook);
        var received = receiver.await("/hook", 1).get(0);

        assertThat(received.header("webhook-signature").split(" "))
                .containsExactlyInAnyOrder(signature(webhook.signingSecret(), received), signature(next, received));
    }

    @Test
    void aRetriedDeliveryKeepsItsId() {
        var webhook = create("/hook");
        var sent = test(webhook).text("delivery/id");
        awaitDelivered(webhook, 1);

        webhook.call("POST", "/deliveries/" + sent + "/retry").expect(200);
        assertThat(receiver.await("/hook", 2))
                .extracting(received -> received.header("webhook-id"))
                .containsExactly(sent, sent);
        awaitDelivered(webhook, 1);
        assertThat(webhook.call("GET", "/deliveries").expect(200).text("total")).isEqualTo("1");
    }

    @Test
    void aRetrySkipsThePause() {
        receiver.answer("/hook", 503, "busy");
        var webhook = create("/hook");
        var sent = test(webhook).text("delivery/id");
        Eventually.until(
                "it waits for its next attempt",
                () -> webhook.call("GET", "/deliveries/" + sent)
                        .expect(200)
                        .text("attempts")
                        .equals("1"));
        assertThat(webhook.call("GET", "/deliveries/" + sent).expect(200).text("responseBody"))
                .isEqualTo("busy");
        Eventually.until(
                "the endpoint is known to fail", () -> failingSince(webhook).endsWith("Z"));

        receiver.answer("/hook", 204, "");
        webhook.call("POST", "/deliveries/" + sent + "/retry").expect(200);
        awaitDelivered(webhook, 1);
        Eventually.until(
                "the endpoint is known to work", () -> failingSince(webhook).equals("null"));
    }

    /** The database gets it after the result of the attempt. */
    private static String failingSince(TestWebhook webhook) {
        return webhook.call("GET", "").expect(200).text("failingSince");
    }

    @Test
    void anEndpointReceivesOnlyTheEventsItSubscribedTo() {
        create("/all");
        var some = create("/some");
        some.call("PATCH", "").json(Map.of("events", List.of("user.created"))).expect(200);
        var user = project.signUp().text("user/id");

        assertThat(receiver.await("/all", 2))
                .extracting(Received::body)
                .anyMatch(body -> body.contains("\"type\":\"user.created\""))
                .anyMatch(body -> body.contains("\"type\":\"session.created\""));
        assertThat(receiver.await("/some", 1))
                .singleElement()
                .satisfies(received -> assertThat(received.body()).contains("\"type\":\"user.created\"", user));
    }

    /** Holds one request open, so that the other deliveries wait in memory. */
    private TestWebhook withBacklog() {
        receiver.answer("/slow", held::add);
        var webhook = create("/slow");
        for (int i = 0; i < 10; i++) {
            test(webhook);
        }
        Eventually.until("one is being sent", () -> !held.isEmpty());
        Eventually.until(
                "the others are claimed",
                () -> server.sql()
                                .count(
                                        "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?::uuid"
                                                + " AND claimed_until IS NOT NULL",
                                        webhook.id())
                        == 10);
        return webhook;
    }

    private void release() {
        receiver.answer("/slow", 200, "");
        held.forEach(request -> request.response().end());
    }

    /** Waits until another delivery arrives: those that were due before would have arrived by then. */
    private void awaitAnotherDelivery() {
        var other = create("/other");
        for (int i = 0; i < 3; i++) {
            test(other);
            awaitDelivered(other, i + 1);
        }
    }

    @Test
    void deliveriesToADeletedEndpointAreNotSent() {
        withBacklog().call("DELETE", "").expect(200);
        release();
        awaitAnotherDelivery();

        assertThat(receiver.to("/slow")).hasSize(1);
    }

    @Test
    void deliveriesOfADeletedProjectAreNotSent() {
        withBacklog();
        project.asOwner("DELETE", "").expect(200);
        release();
        var other = TestWebhook.create(server, server.newProject(), receiver.url("/other"));
        test(other);
        awaitDelivered(other, 1);

        assertThat(receiver.to("/slow")).hasSize(1);
    }

    @Test
    void deliveriesToADisabledEndpointAreSentOnceItIsEnabled() {
        var webhook = withBacklog();
        webhook.call("PATCH", "").json(Map.of("status", "disabled")).expect(200);
        release();
        awaitAnotherDelivery();
        assertThat(receiver.to("/slow")).hasSize(1);

        webhook.call("PATCH", "").json(Map.of("status", "active")).expect(200);
        awaitDelivered(webhook, 10);
        assertThat(receiver.to("/slow")).hasSize(10);
    }

    @Test
    void waitingDeliveriesGoToTheNewUrl() {
        var webhook = withBacklog();
        webhook.call("PATCH", "").json(Map.of("url", receiver.url("/new"))).expect(200);
        release();
        awaitDelivered(webhook, 10);

        assertThat(receiver.to("/slow")).hasSize(1);
        assertThat(receiver.to("/new")).hasSize(9);
    }
}
