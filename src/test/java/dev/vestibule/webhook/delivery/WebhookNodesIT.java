package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Standstill;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several nodes on one database. */
@ExtendWith(WithServer.class)
class WebhookNodesIT {
    private static final int MANY = 500;

    /** A node that is paused for this long is dead to the others, which then send its deliveries. */
    private static final Duration DEADLY = Duration.ofSeconds(2);

    private final TestDatabase database;
    private final WithWebhooks webhooks;

    WebhookNodesIT(TestDatabase database) {
        this.database = database;
        this.webhooks = WithWebhooks.start(database);
    }

    @AfterEach
    void stop() {
        webhooks.close();
    }

    private static long count(WithWebhooks webhooks, String condition) {
        return webhooks.server().sql().count("SELECT count(*) FROM webhook_deliveries WHERE " + condition);
    }

    @Test
    void nodesShareDeliveriesAndNoneIsSentTwice() {
        Standstill.shorterThan(DEADLY, this::nodesShareDeliveries);
    }

    private void nodesShareDeliveries() {
        try (var first = WithWebhooks.start(database);
                var second = TestServer.startOn(first.server().databaseUrl(), WithWebhooks.settings(), first.clock())) {
            var project = first.server().newProject();
            var endpoint = first.subscribe(project, "/in");
            for (int i = 0; i < MANY; i++) {
                first.insertDelivery(project, endpoint, "{}");
            }

            Eventually.until("all have come", () -> count(first, "status = 'delivered'") == MANY);

            assertThat(first.receiver().count()).isEqualTo(MANY);
            assertThat(first.receiver().twiceAtOnce()).isZero();
            assertThat(count(first, "attempts = 1")).isEqualTo(MANY);
            assertThat(delivered(first.server()) + delivered(second)).isEqualTo(MANY);
        }
    }

    private static double delivered(TestServer server) {
        return server.metric("vestibule_webhooks_delivered_total");
    }

    /** A node died while it held a claim. */
    @Test
    void theClaimsOfADeadNodeExpire() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        var sql = webhooks.server().sql();
        sql.update("UPDATE webhooks SET status = 'disabled' WHERE id = ?::uuid", endpoint.id());
        webhooks.insertDelivery(project, endpoint, "{}");
        sql.update(
                "UPDATE webhook_deliveries SET claimed_until = ?::timestamptz",
                webhooks.clock().instant().plusSeconds(60).toString());
        sql.update("UPDATE webhooks SET status = 'active' WHERE id = ?::uuid", endpoint.id());
        var other = webhooks.subscribe(project, "/other");
        webhooks.insertDelivery(project, other, "{}");
        webhooks.awaitDelivery(other, "delivered", 1);
        assertThat(webhooks.receiver().to("/in")).isEmpty();

        webhooks.clock().advance(Duration.ofSeconds(60));

        webhooks.awaitDelivery(endpoint, "delivered", 1);
    }

    /** The attempt took longer than its claim: its result counts only if it was delivered. */
    @Test
    void aLateFailureDoesNotOverwriteAnotherNodesClaim() {
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        var held = new ConcurrentLinkedQueue<HttpServerRequest>();
        webhooks.receiver().answer("/in", held::add);
        webhooks.insertDelivery(project, endpoint, "{}");
        Eventually.until("the attempt is in flight", () -> !held.isEmpty());

        webhooks.server()
                .sql()
                .update(
                        "UPDATE webhook_deliveries SET claimed_until = ?::timestamptz",
                        webhooks.clock().instant().plusSeconds(600).toString());
        held.forEach(request -> request.response().setStatusCode(500).end());

        Eventually.until(
                "it counts as failing",
                () -> !webhooks.webhook(endpoint, "failing_since").equals("null"));
        assertThat(count(webhooks, "attempts = 0 AND claimed_until IS NOT NULL"))
                .isOne();
    }
}
