package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import dev.vestibule.fixture.WithWebhooks.Endpoint;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Endpoints that are slow, dead or hostile do not affect others. */
@ExtendWith(WithServer.class)
class WebhookIsolationIT {
    /** A timeout longer than a test waits, so that a test fails if anything waits for a slow endpoint's timeout. */
    private static final Map<String, String> PATIENT =
            Map.of("VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "300", "VESTIBULE_HTTP_SHUTDOWN_SECONDS", "1");

    private static final String MANY_EVENTS = """
            INSERT INTO webhook_events (project_id, id, type, payload, created_at)
            SELECT ?::uuid, gen_random_uuid(), 'user.created', '{}', ?::timestamptz FROM generate_series(1, ?)
            """;

    private static final String MANY_DELIVERIES = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, created_at, next_attempt_at)
            SELECT project_id, ?::uuid, id, created_at, created_at FROM webhook_events WHERE project_id = ?::uuid
            """;

    private final TestDatabase database;
    private final List<AutoCloseable> toClose = new ArrayList<>();

    WebhookIsolationIT(TestDatabase database) {
        this.database = database;
    }

    @AfterEach
    void stop() throws Exception {
        for (var resource : toClose) {
            resource.close();
        }
    }

    private WithWebhooks start(Map<String, String> settings) {
        var webhooks = WithWebhooks.start(database, settings);
        toClose.add(webhooks);
        return webhooks;
    }

    private static void backlog(WithWebhooks webhooks, TestProject project, Endpoint endpoint, int count) {
        webhooks.server()
                .sql()
                .update(MANY_EVENTS, project.id(), webhooks.clock().instant().toString(), count);
        webhooks.server().sql().update(MANY_DELIVERIES, endpoint.id(), project.id());
    }

    @Test
    void slowAndHostileEndpointsDelayNoOther() {
        var webhooks = start(PATIENT);
        webhooks.receiver().hang("/hanging");
        webhooks.receiver().drip("/dripping");
        webhooks.receiver().flood("/flooding");
        var project = webhooks.server().newProject();
        for (var path : List.of("/hanging", "/dripping", "/flooding")) {
            backlog(webhooks, project, webhooks.subscribe(project, path), 300);
        }
        webhooks.receiver().await("/hanging", 1);
        webhooks.receiver().await("/dripping", 1);

        var good = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(good, "/in");
        for (int i = 0; i < 20; i++) {
            good.signUp();
        }

        webhooks.receiver().await("/in", 20);
        assertThat(webhooks.receiver().to("/hanging").size()).isLessThanOrEqualTo(20);
        assertThat(webhooks.webhook(endpoint, "failing_since")).isEqualTo("null");
    }

    /** A 2xx status counts as soon as it arrives, however long the body takes. */
    @Test
    void aLongResponseIsTruncated() {
        var webhooks = start(Map.of("VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "5"));
        webhooks.receiver().flood("/flooding");
        webhooks.receiver().drip("/dripping");
        var project = webhooks.server().newProject();
        var flooding = webhooks.subscribe(project, "/flooding");
        var dripping = webhooks.subscribe(project, "/dripping");

        project.signUp();

        webhooks.awaitDelivery(flooding, "delivered", 1);
        assertThat(webhooks.delivery(flooding, "length(response_body)")).isEqualTo("1024");
        webhooks.awaitDelivery(dripping, "delivered", 1);
        assertThat(webhooks.delivery(dripping, "duration_millis").length()).isGreaterThanOrEqualTo(4);
    }

    /** Ten of a thousand endpoints hang with a backlog, and two of them could fill all places of the node. */
    @Test
    void tenDeadEndpointsOfAThousandDelayNoOther() {
        var webhooks = start(Map.of(
                "VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS",
                "300",
                "VESTIBULE_HTTP_SHUTDOWN_SECONDS",
                "1",
                "VESTIBULE_WEBHOOKS_IN_FLIGHT",
                "40",
                "VESTIBULE_WEBHOOKS_CLAIM_AHEAD",
                "1000"));
        webhooks.receiver().hang("/dead");
        for (int i = 0; i < 10; i++) {
            var dead = webhooks.server().newProject();
            backlog(webhooks, dead, webhooks.subscribe(dead, "/dead"), 1000);
        }
        webhooks.receiver().await("/dead", 10);
        var projects = IntStream.range(0, 10)
                .mapToObj(i -> webhooks.server().newProject())
                .toList();
        for (var project : projects) {
            IntStream.range(0, 99).forEach(i -> webhooks.subscribe(project, "/good"));
        }

        projects.forEach(TestProject::signUp);

        Eventually.until(
                "all 990 have come", () -> webhooks.receiver().to("/good").size() == 990);
    }

    @Test
    void onlyAFewDeliveriesOfADeadEndpointAreClaimed() {
        var webhooks = start(
                Map.of("VESTIBULE_WEBHOOKS_IN_FLIGHT_PER_ENDPOINT", "20", "VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "1"));
        webhooks.receiver().hang("/dead");
        var project = webhooks.server().newProject();
        var dead = webhooks.subscribe(project, "/dead");
        backlog(webhooks, project, dead, 1000);
        Eventually.until(
                "it counts as failing",
                () -> !webhooks.webhook(dead, "failing_since").equals("null"));

        Eventually.until(
                "little is still claimed",
                () -> webhooks.server()
                                .sql()
                                .count("SELECT count(*) FROM webhook_deliveries WHERE claimed_until IS NOT NULL")
                        <= 300);
    }

    /** The change feed reports the change, and claims in memory are given back and read again. */
    @Test
    void waitingDeliveriesGoToTheNewUrlOfAnEndpoint() {
        var webhooks = start(PATIENT);
        var held = new ConcurrentLinkedQueue<HttpServerRequest>();
        webhooks.receiver().answer("/old", held::add);
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/old");
        backlog(webhooks, project, endpoint, 50);
        Eventually.until("the maximum is in flight", () -> held.size() == 4);

        webhooks.server()
                .sql()
                .update(
                        "UPDATE webhooks SET url = ? WHERE id = ?::uuid",
                        webhooks.receiver().url("/new"),
                        endpoint.id());
        project.asOwner("PATCH", "").json(Map.of("name", "Another name")).expect(200);
        held.forEach(request -> request.response().end());

        webhooks.receiver().await("/new", 46);
        assertThat(webhooks.receiver().to("/old")).hasSize(4);
    }

    @Test
    void nothingMoreIsSentToAnEndpointThatIsGone() {
        var webhooks = start(PATIENT);
        var held = new ConcurrentLinkedQueue<HttpServerRequest>();
        webhooks.receiver().answer("/gone", held::add);
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/gone");
        backlog(webhooks, project, endpoint, 50);
        Eventually.until("the maximum is in flight", () -> held.size() == 4);

        var first = held.remove();
        first.response().setStatusCode(410).end();
        Eventually.until(
                "it is disabled", () -> webhooks.webhook(endpoint, "status").equals("disabled"));
        Eventually.until(
                "what was held is given back",
                () -> webhooks.server()
                                .sql()
                                .count("SELECT count(*) FROM webhook_deliveries WHERE claimed_until IS NOT NULL")
                        == held.size());

        assertThat(webhooks.receiver().to("/gone").size()).isLessThanOrEqualTo(8);
    }

    /** Statements are planned while the tables are empty, and no ANALYZE runs before the burst. */
    @Test
    void plansMadeOnEmptyTablesServeABurst() {
        var webhooks = start(Map.of("VESTIBULE_DATABASE_STATEMENT_TIMEOUT_MILLIS", "2000"));
        webhooks.server().sql().update("ALTER TABLE webhook_deliveries SET (autovacuum_enabled = off)");
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        project.signUp();
        webhooks.awaitDelivery(endpoint, "delivered", 1);

        var other = webhooks.server().newProject();
        backlog(webhooks, other, webhooks.subscribe(other, "/other"), 10_000);

        Eventually.until(
                "a part of it is sent and written down",
                () -> webhooks.server()
                                .sql()
                                .count("SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'")
                        > 2000);
    }

    /** A meter for each endpoint would grow without limit and reveal the customers of a project. */
    @Test
    void noMeterNamesAnEndpoint() {
        var webhooks = start(Map.of());
        var project = webhooks.server().newProject();
        var endpoint = webhooks.subscribe(project, "/in");
        project.signUp();
        webhooks.awaitDelivery(endpoint, "delivered", 1);

        assertThat(webhooks.server().metrics())
                .contains("vestibule_webhooks_delivered_total 1.0")
                .doesNotContain("127.0.0.1:" + webhooks.receiver().port());
    }

    @Test
    void aServerThatStopsFinishesItsAttemptsAndGivesBackTheRest() {
        var webhooks = WithWebhooks.start(
                database,
                Map.of(
                        "VESTIBULE_WEBHOOKS_IN_FLIGHT_PER_ENDPOINT", "2",
                        "VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "3"));
        toClose.add(webhooks.receiver());
        webhooks.receiver().answer("/slow", request -> {});
        var project = webhooks.server().newProject();
        var slow = webhooks.subscribe(project, "/slow");
        backlog(webhooks, project, slow, 100);
        webhooks.receiver().await("/slow", 2);

        webhooks.server().close();

        var sql = webhooks.server().sql();
        assertThat(sql.count("SELECT count(*) FROM webhook_deliveries WHERE claimed_until IS NOT NULL"))
                .isZero();
        assertThat(sql.count("SELECT count(*) FROM webhook_deliveries WHERE attempts = 1"))
                .isEqualTo(webhooks.receiver().to("/slow").size());
        try (var again =
                TestServer.startOn(webhooks.server().databaseUrl(), WithWebhooks.settings(), webhooks.clock())) {
            webhooks.receiver().answer("/slow", 200, "");
            webhooks.clock().advance(Duration.ofSeconds(10));
            Eventually.until(
                    "all have come",
                    () -> again.sql().count("SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'")
                            == 100);
        }
    }
}
