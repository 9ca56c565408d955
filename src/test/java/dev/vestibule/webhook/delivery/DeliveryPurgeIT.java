package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import dev.vestibule.fixture.WithWebhooks.Endpoint;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class DeliveryPurgeIT {
    private static final String EVENTS = """
            INSERT INTO webhook_events (project_id, id, type, payload, created_at)
            SELECT ?::uuid, overlay(gen_random_uuid()::text PLACING left(?, 13) FROM 1)::uuid, 'user.created', '{}', now()
            FROM generate_series(1, ?)
            """;

    private static final String DELIVERIES = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, status, created_at)
            SELECT project_id, ?::uuid, id, 'delivered', now() FROM webhook_events WHERE project_id = ?::uuid
            """;

    private final WithWebhooks webhooks;

    DeliveryPurgeIT(TestDatabase database) {
        this.webhooks = WithWebhooks.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"));
    }

    @AfterEach
    void stop() {
        webhooks.close();
    }

    private void log(TestProject project, Endpoint endpoint, int count) {
        var now = UuidCreator.getTimeOrderedEpoch(webhooks.clock().instant()).toString();
        webhooks.server().sql().update(EVENTS, project.id(), now, count);
        webhooks.server().sql().update(DELIVERIES, endpoint.id(), project.id());
    }

    private long count(String table) {
        return webhooks.server().sql().count("SELECT count(*) FROM " + table);
    }

    @Test
    void deliveriesAndEventsAreRemovedAfterThirtyDays() {
        var first = webhooks.server().newProject();
        var second = webhooks.server().newProject();
        log(first, webhooks.subscribe(first, "/in"), 2500);
        log(second, webhooks.subscribe(second, "/in"), 10);

        webhooks.clock().advance(Duration.ofDays(30).minusMinutes(1));
        var third = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(third, "/in");
        log(third, endpoint, 10);
        webhooks.server().sql().update("DELETE FROM webhooks WHERE project_id = ?::uuid", second.id());

        Eventually.until("the deliveries of a deleted endpoint are gone", () -> count("webhook_deliveries") == 2510);
        assertThat(count("webhook_events")).isEqualTo(2520);

        webhooks.clock().advance(Duration.ofMinutes(1).plusSeconds(1));

        Eventually.until("old events are gone", () -> count("webhook_events") == 10);
        assertThat(count("webhook_deliveries")).isEqualTo(10);
    }
}
