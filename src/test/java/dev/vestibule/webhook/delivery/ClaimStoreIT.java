package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The schema makes claims cheap. */
@ExtendWith(WithServer.class)
class ClaimStoreIT {
    private static final int BACKLOG = 1000;

    /** Due long after the test, so that no deliverer claims them. */
    private static final String DELIVERIES = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT ?::uuid, ?::uuid, overlay(gen_random_uuid()::text PLACING 'ffffffff' FROM 1 FOR 8)::uuid, now(),
                   timestamptz '2100-01-01'
            FROM generate_series(1, ?)
            """;

    private static final String MOVED = """
            WITH held AS (
                SELECT event_id, (ctid::text::point)[0] AS page
                FROM webhook_deliveries WHERE webhook_id = ?::uuid),
            claimed AS (
                UPDATE webhook_deliveries SET claimed_until = timestamptz '2100-01-01' WHERE webhook_id = ?::uuid
                RETURNING event_id, (ctid::text::point)[0] AS page)
            SELECT count(*) FROM held JOIN claimed USING (event_id) WHERE held.page <> claimed.page
            """;

    private final TestServer server;

    ClaimStoreIT(TestServer server) {
        this.server = server;
    }

    /**
     * A row that moves to another page needs a new entry in every index. A few may move, because other tests share
     * pages.
     */
    @Test
    void claimingABacklogKeepsItsRowsInTheirPages() {
        var project = server.newProject();
        var webhook = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        server.sql().update(DELIVERIES, project.id(), webhook.id(), BACKLOG);

        assertThat(server.sql().count(MOVED, webhook.id(), webhook.id())).isLessThan(BACKLOG / 10);
    }
}
