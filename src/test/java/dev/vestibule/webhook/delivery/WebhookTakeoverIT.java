package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.Standstill;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import dev.vestibule.fixture.WithWebhooks.Endpoint;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Another node takes over the claims of a dead node within ten seconds, and none while that node is alive. */
@ExtendWith(WithServer.class)
class WebhookTakeoverIT {
    private static final int DELIVERIES = 10;
    private static final int IN_FLIGHT = 4; // of an endpoint that has not accepted a delivery yet
    private static final Duration TEN_SECONDS_ON_A_BUSY_MACHINE = Duration.ofSeconds(30);

    /** A timeout longer than a test waits, so that no attempt of the first node ends by itself. */
    private static final Map<String, String> PATIENT =
            Map.of("VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "300", "VESTIBULE_HTTP_SHUTDOWN_SECONDS", "1");

    /** A node that is paused for this long is dead to the others, and must give up its claims. */
    private static final Duration DEADLY = Duration.ofSeconds(2);

    private final TestDatabase database;
    private final TestReceiver receiver = TestReceiver.start();
    private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private String databaseUrl;
    private Sql sql;
    private String path;

    WebhookTakeoverIT(TestDatabase database) {
        this.database = database;
        this.databaseUrl = database.createDatabase();
        this.sql = new Sql(databaseUrl);
        this.path = "/in";
        receiver.answer(path, held::add);
    }

    @AfterEach
    void stop() {
        stopNodes();
        receiver.close();
    }

    private void stopNodes() {
        while (!toClose.isEmpty()) {
            try {
                toClose.pop().close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** Runs the test again from the beginning if a pause of the machine made a node dead that should be alive. */
    private void whileAllNodesAreAlive(Runnable test) {
        Standstill.shorterThan(DEADLY, () -> {
            stopNodes();
            databaseUrl = database.createDatabase();
            sql = new Sql(databaseUrl);
            path = "/" + UUID.randomUUID();
            held.clear();
            receiver.answer(path, held::add);
            test.run();
        });
    }

    private TestServer node(String url) {
        var settings = new HashMap<>(WithWebhooks.settings());
        settings.putAll(PATIENT);
        settings.putAll(TestServer.USUAL_DATABASE_WAITS);
        var node = TestServer.startOn(url, settings, Clock.tickMillis(ZoneOffset.UTC));
        toClose.push(node);
        return node;
    }

    /** Deliveries that the only node holds, some of them in flight. */
    private Endpoint backlogOf(TestServer node) {
        var webhooks = new WithWebhooks(receiver, node, new TestClock());
        var project = node.newProject();
        var endpoint = webhooks.subscribe(project, path);
        for (int i = 0; i < DELIVERIES; i++) {
            webhooks.insertDelivery(project, endpoint, "{}");
        }
        awaitAllClaimed();
        awaitSomeInFlight();
        return endpoint;
    }

    private void awaitSomeInFlight() {
        Eventually.until("some are in flight", () -> held.size() == IN_FLIGHT);
    }

    private void awaitAllClaimed() {
        Eventually.until("all are claimed", () -> count("claimed_by IS NOT NULL") == DELIVERIES);
    }

    private long count(String condition) {
        return sql.count("SELECT count(*) FROM webhook_deliveries WHERE " + condition);
    }

    /** The claims themselves last for minutes, longer than this waits. */
    private void awaitAllDelivered() {
        Eventually.until("all are delivered", () -> count("status = 'delivered'") == DELIVERIES);
    }

    @Test
    void anotherNodeSendsTheClaimsOfAKilledNodeWithinTenSeconds(@TempDir Path folder) {
        whileAllNodesAreAlive(() -> {
            var command = JarCommand.in(folder)
                    .with("VESTIBULE_DATABASE_URL", databaseUrl)
                    .with("VESTIBULE_SECRET", TestServer.SECRET)
                    .with("VESTIBULE_LIMITS_ENABLED", "false")
                    .with("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true")
                    .with("VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "300");
            try (var first = command.start()) {
                var project = first.firstProject();
                project.manage("POST", "/v1/dashboard/webhooks")
                        .json(Map.of("url", receiver.url(path), "events", List.of("user.created")))
                        .expect(201);
                for (int i = 0; i < DELIVERIES; i++) {
                    project.signUp();
                }
                awaitAllClaimed();
                awaitSomeInFlight();
                node(databaseUrl);
                assertThat(held).hasSize(IN_FLIGHT);

                receiver.answer(path, 200, "");
                first.kill();
                var killed = System.nanoTime();

                awaitAllDelivered();
                assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(TEN_SECONDS_ON_A_BUSY_MACHINE);
            }
        });
    }

    /** A restarted process has a new name, so it waits for the old name to die like any other node. */
    @Test
    void aRestartedNodeSendsTheClaimsOfItsKilledPredecessor() {
        var proxy = DatabaseProxy.before(databaseUrl);
        toClose.push(proxy);
        backlogOf(node(proxy.url()));

        receiver.answer(path, 200, "");
        proxy.takeAway();
        node(databaseUrl);

        awaitAllDelivered();
    }

    /** It can still reach the endpoint, so only its own clock keeps it from sending what others send now. */
    @Test
    void aNodeThatIsCutOffStartsNoAttemptOfATakenClaim() {
        whileAllNodesAreAlive(() -> {
            var proxy = DatabaseProxy.before(databaseUrl);
            toClose.push(proxy);
            backlogOf(node(proxy.url()));
            node(databaseUrl);

            receiver.answer(path, 200, "");
            proxy.fallSilent();
            awaitAllDelivered();
            held.forEach(request -> request.response().setStatusCode(500).end());
            proxy.restore();

            Eventually.until(
                    "the first has written its results",
                    () -> sql.count("SELECT count(*) FROM webhooks WHERE failing_since IS NOT NULL") == 1);
            assertThat(count("status = 'delivered' AND attempts = 1")).isEqualTo(DELIVERIES);
            assertThat(receiver.to(path)).hasSize(IN_FLIGHT + DELIVERIES);
        });
    }

    @Test
    void aNodeThatIsAliveKeepsItsClaimsHoweverLongTheyLast() {
        whileAllNodesAreAlive(() -> {
            backlogOf(node(databaseUrl));
            node(databaseUrl);

            Eventually.until(
                    "more time has passed than a dead node has",
                    () -> sql.count("SELECT count(*) FROM nodes WHERE seen_at > (SELECT min(created_at) FROM projects)"
                                    + " + interval '8 seconds'")
                            == 1);

            assertThat(receiver.to(path)).hasSize(IN_FLIGHT);
            assertThat(sql.count("SELECT count(DISTINCT claimed_by) FROM webhook_deliveries"))
                    .isOne();
        });
    }

    /** Two claims can end at the same time. Only the holder of the later one may write a failure. */
    @Test
    void aLateFailureDoesNotOverwriteAnotherClaimThatEndsAtTheSameTime() {
        var endpoint = backlogOf(node(databaseUrl));
        sql.update("UPDATE webhook_deliveries SET claimed_by = gen_random_uuid()");

        held.forEach(request -> request.response().setStatusCode(500).end());

        Eventually.until(
                "it counts as failing",
                () -> sql.count(
                                "SELECT count(*) FROM webhooks WHERE id = ?::uuid AND failing_since IS NOT NULL",
                                endpoint.id())
                        == 1);
        assertThat(count("attempts = 0 AND claimed_by IS NOT NULL")).isEqualTo(DELIVERIES);
    }

    /** An idle node writes nothing, and the table of names does not grow. */
    @Test
    void aNodeThatHoldsNothingLeavesNoName() {
        var node = node(databaseUrl);
        backlogOf(node);
        assertThat(sql.count("SELECT count(*) FROM nodes")).isOne();

        receiver.answer(path, 200, "");
        held.forEach(request -> request.response().end());
        awaitAllDelivered();

        Eventually.until("the name is gone", () -> sql.count("SELECT count(*) FROM nodes") == 0);
    }

    @Test
    void aStoppedNodeFreesEvenTheClaimsItCouldNotFinish() {
        var first = node(databaseUrl);
        backlogOf(first);
        receiver.answer(path, 200, "");

        toClose.remove(first);
        first.close(); // after a second, with requests still open

        node(databaseUrl);
        awaitAllDelivered();
    }
}
