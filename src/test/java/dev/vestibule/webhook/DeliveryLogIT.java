package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class DeliveryLogIT {
    private static final List<String> FIELDS = List.of(
            "id",
            "event",
            "status",
            "attempts",
            "nextAttemptAt",
            "responseStatus",
            "responseBody",
            "durationMillis",
            "error",
            "createdAt",
            "attemptedAt");

    private final TestServer server;
    private final TestProject project;
    /** Accepts connections and never responds, so that an attempt does not end during a test. */
    private final ServerSocket silent;

    private final TestWebhook webhook;

    DeliveryLogIT(TestServer server) throws IOException {
        this.server = server;
        this.project = server.newProject();
        this.silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.webhook = TestWebhook.create(server, project, "http://127.0.0.1:" + silent.getLocalPort() + "/");
    }

    @AfterEach
    void stop() throws IOException {
        silent.close();
    }

    private Response list(String query) {
        return webhook.call("GET", "/deliveries" + query).expect(200);
    }

    private static List<String> ids(Response list) {
        return list.json().path("deliveries").findValuesAsText("id").stream()
                .distinct() // the id of an event is also the id of its delivery
                .toList();
    }

    private long kept(String column) {
        return server.sql()
                .count(
                        "SELECT coalesce(sum(" + column
                                + "), 0) FROM webhook_delivery_counts WHERE webhook_id = ?::uuid",
                        webhook.id());
    }

    @Test
    void aNewEndpointHasNoDeliveries() {
        assertThat(list("").body()).isEqualTo("{\"deliveries\":[],\"total\":0}");
    }

    @Test
    void theLogListsEachDeliveryAndItsResultNewestFirst() {
        var delivered = webhook.addDelivery("delivered");
        var dead = webhook.addDelivery("dead", null, "no response in time");
        var waiting = webhook.addDelivery("waiting");

        var list = list("");
        assertThat(ids(list)).containsExactly(waiting, dead, delivered);
        assertThat(list.text("total")).isEqualTo("3");
        assertThat(list.json().path("deliveries"))
                .allSatisfy(delivery ->
                        assertThat(delivery.fieldNames()).toIterable().containsExactlyElementsOf(FIELDS))
                .allSatisfy(delivery -> assertThat(delivery.path("event").toString())
                        .isEqualTo("{\"id\":" + delivery.path("id") + ",\"type\":\"user.banned\"}"));
        assertThat(list.text("deliveries/0/nextAttemptAt")).isEqualTo("2100-01-01T00:00:00.000Z");
        assertThat(list.text("deliveries/1/status")).isEqualTo("dead");
        assertThat(list.text("deliveries/1/attempts")).isEqualTo("11");
        assertThat(list.text("deliveries/1/error")).isEqualTo("no response in time");
        assertThat(list.json().at("/deliveries/1/responseStatus").isNull()).isTrue();
        assertThat(list.text("deliveries/2/responseStatus")).isEqualTo("200");
        assertThat(list.text("deliveries/2/responseBody")).isEqualTo("answer 200");
        assertThat(list.text("deliveries/2/durationMillis")).isEqualTo("48");
        assertThat(list.json().at("/deliveries/2/nextAttemptAt").isNull()).isTrue();
    }

    @Test
    void membersReadTheLogOfAnEndpointOfTheProjectInThePath() {
        var dead = webhook.addDelivery("dead");
        webhook.addDelivery("delivered");
        var path = "/webhooks/" + webhook.id() + "/deliveries";

        assertThat(ids(project.asOwner("GET", path + "?status=dead").expect(200)))
                .containsExactly(dead);
        project.as(server.newMember(project, "viewer"), "GET", path).expect(200);
        project.as(server.newDashboardUser(), "GET", path).expect(404);
        server.newProject().asOwner("GET", path).expect(404);
    }

    @Test
    void theLogCanBeFilteredByStatus() {
        var first = webhook.addDelivery("dead");
        webhook.addDelivery("delivered");
        var waiting = webhook.addDelivery("waiting");
        webhook.addDelivery("delivered");
        var second = webhook.addDelivery("dead");

        assertThat(ids(list("?status=dead"))).containsExactly(second, first);
        assertThat(list("?status=dead&limit=1&offset=1").json().toString())
                .contains(first)
                .endsWith("\"total\":2}");
        assertThat(ids(list("?status=waiting"))).containsExactly(waiting);
        assertThat(list("?status=waiting").text("total")).isEqualTo("1");
        assertThat(list("?status=delivered&limit=1").text("total")).isEqualTo("2");
        assertThat(list("?limit=1").text("total")).isEqualTo("5");
    }

    @Test
    void invalidPageParametersAreRefused() {
        assertThat(webhook.call("GET", "/deliveries?limit=101&offset=x&status=DEAD")
                        .expect(422)
                        .failingFields())
                .containsExactly("limit", "offset", "status");
        for (var odd : List.of("", "%00", "%ED%A0%80", "waiting,dead", "1e300")) {
            webhook.call("GET", "/deliveries?status=" + odd).expect(422);
        }
    }

    @Test
    void aSingleDeliveryIsShownWithItsPayload() {
        var id = webhook.addDelivery("delivered");
        var sent = server.sql()
                .texts("SELECT payload FROM webhook_events WHERE id = ?::uuid", id)
                .get(0);

        var answer = webhook.call("GET", "/deliveries/" + id).expect(200);
        assertThat(answer.json().fieldNames()).toIterable().containsExactlyElementsOf(FIELDS);
        assertThat(answer.body()).contains("\"payload\":" + sent + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dead", "delivered", "waiting"})
    void aDeliveryOfAnyStatusCanBeRetriedWithAllItsAttempts(String status) {
        var id = webhook.addDelivery(status);

        var answer = webhook.call("POST", "/deliveries/" + id + "/retry").expect(200);
        assertThat(answer.text("success")).isEqualTo("true");
        assertThat(answer.text("delivery/id")).isEqualTo(id);
        assertThat(answer.text("delivery/status")).isEqualTo("waiting");
        assertThat(answer.text("delivery/attempts")).isEqualTo("0");
        assertThat(answer.text("delivery/nextAttemptAt")).startsWith("20").isLessThan("2100");
        assertThat(list("?status=waiting").text("total")).isEqualTo("1");
        assertThat(list("?status=dead").text("total")).isEqualTo("0");
        assertThat(list("").text("total")).isEqualTo("1");
    }

    @Test
    void aDeliveryThatIsBeingSentCannotBeRetried() {
        var id = webhook.addDelivery("waiting");
        claim(id, "now() + interval '1 hour'");
        webhook.call("POST", "/deliveries/" + id + "/retry").expect(409);
        assertThat(list("").text("deliveries/0/attempts")).isEqualTo("1");

        claim(id, "now() - interval '1 hour'"); // by a node that crashed
        webhook.call("POST", "/deliveries/" + id + "/retry").expect(200);
    }

    private void claim(String delivery, String until) {
        server.sql()
                .update(
                        "UPDATE webhook_deliveries SET claimed_until = " + until + " WHERE event_id = ?::uuid",
                        delivery);
    }

    @Test
    void concurrentRetriesOfADeadDeliverySendItOnce() {
        var id = webhook.addDelivery("dead");

        assertThat(Parallel.send(10, number -> webhook.call("POST", "/deliveries/" + id + "/retry")))
                .extracting(Response::status)
                .contains(200)
                .isSubsetOf(200, 409);
        assertThat(kept("dead")).isZero();
        assertThat(list("").text("total")).isEqualTo("1");
    }

    @Test
    void nothingCanBeSentToADisabledEndpoint() {
        var id = webhook.addDelivery("dead");
        webhook.call("PATCH", "").json(Map.of("status", "disabled")).expect(200);

        webhook.call("POST", "/test").expect(409);
        webhook.call("POST", "/deliveries/" + id + "/retry").expect(409);
        webhook.call("POST", "/deliveries/retry").expect(409);
        assertThat(ids(list(""))).containsExactly(id);
        webhook.call("PATCH", "").json(Map.of("status", "active")).expect(200);
        webhook.call("POST", "/test").expect(200);
    }

    @Test
    void aTestEventGoesOnlyToThisEndpoint() {
        var another = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        webhook.call("PATCH", "")
                .json(Map.of("events", List.of("user.deleted")))
                .expect(200);

        var answer = webhook.call("POST", "/test").expect(200);
        assertThat(answer.text("delivery/event/type")).isEqualTo("webhook.test");
        assertThat(answer.json().at("/delivery/event/payload/data")).hasToString("{}");
        assertThat(answer.text("delivery/event/payload/projectId")).isEqualTo(project.id());
        assertThat(answer.text("delivery/event/payload/id")).isEqualTo(answer.text("delivery/id"));
        assertThat(ids(list(""))).containsExactly(answer.text("delivery/id"));
        assertThat(another.call("GET", "/deliveries").expect(200).text("total")).isEqualTo("0");
    }

    @Test
    void theDeliveriesOfAnotherEndpointAreNotFound() {
        var another = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        var anothers = another.addDelivery("dead");

        for (var id : List.of(anothers, webhook.id(), "no-id", "%00")) {
            webhook.call("GET", "/deliveries/" + id).expect(404);
            webhook.call("POST", "/deliveries/" + id + "/retry").expect(404);
        }
        assertThat(another.call("GET", "/deliveries/" + anothers).expect(200).text("status"))
                .isEqualTo("dead");
    }

    @Test
    void allThatWereGivenUpAreSentAgainAtOnceAndNothingElse() {
        Stream.of("dead", "delivered", "waiting", "dead", "dead").forEach(webhook::addDelivery);
        var another = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        another.addDelivery("dead");

        var answer = webhook.call("POST", "/deliveries/retry").expect(200);
        assertThat(answer.body()).isEqualTo("{\"retried\":3,\"remaining\":0}");
        assertThat(list("?status=waiting").text("total")).isEqualTo("4");
        assertThat(list("?status=delivered").text("total")).isEqualTo("1");
        assertThat(kept("dead")).isZero();
        assertThat(list("?status=waiting").json().path("deliveries"))
                .allSatisfy(delivery ->
                        assertThat(delivery.path("responseStatus").isNull()).isFalse());
        assertThat(another.call("GET", "/deliveries?status=dead").expect(200).text("total"))
                .isEqualTo("1");
        assertThat(webhook.call("POST", "/deliveries/retry").expect(200).text("retried"))
                .isEqualTo("0");
        assertThat(told()).containsExactly("{\"deliveries\": 3}");
    }

    private List<String> told() {
        return server.sql()
                .texts(
                        "SELECT metadata::text FROM audit_log WHERE event = 'webhook.deliveries.retried' AND target_id = ?::uuid",
                        webhook.id());
    }

    @Test
    void oneCallSendsAThousandAgainAndSaysHowManyAreLeft() {
        var first = webhook.addDelivery("dead");
        server.sql().update("""
                WITH event AS (
                    INSERT INTO webhook_events (project_id, id, type, payload, created_at)
                    SELECT ?::uuid, overlay(gen_random_uuid()::text PLACING 'ffffffff-ffff-7' FROM 1 FOR 15)::uuid,
                           'user.banned', '{}', now()
                    FROM generate_series(1, 1000)
                    RETURNING project_id, id)
                INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, status, attempts, created_at)
                SELECT project_id, ?::uuid, id, 'dead', 11, now() FROM event
                """, project.id(), webhook.id());
        server.sql().update("UPDATE webhook_delivery_counts SET dead = 1001 WHERE webhook_id = ?::uuid", webhook.id());

        assertThat(webhook.call("POST", "/deliveries/retry").expect(200).body())
                .isEqualTo("{\"retried\":1000,\"remaining\":1}");
        assertThat(webhook.call("GET", "/deliveries/" + first).expect(200).text("status"))
                .isEqualTo("waiting");
        assertThat(webhook.call("POST", "/deliveries/retry").expect(200).body())
                .isEqualTo("{\"retried\":1,\"remaining\":0}");
    }

    @Test
    void concurrentCallsSendEachGivenUpDeliveryOnce() {
        Stream.generate(() -> "dead").limit(20).forEach(webhook::addDelivery);

        var answers = Parallel.send(4, number -> webhook.call("POST", "/deliveries/retry"));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(answers.stream()
                        .mapToInt(answer -> answer.json().path("retried").asInt()))
                .satisfies(counts -> assertThat(
                                counts.stream().mapToInt(Integer::intValue).sum())
                        .isEqualTo(20));
        assertThat(kept("dead")).isZero();
    }

    @Test
    void totalsStayExactAndAreRemovedWithTheLastDelivery() {
        Stream.of("dead", "dead", "delivered", "delivered", "waiting").forEach(webhook::addDelivery);
        for (var status : List.of("dead", "delivered", "waiting")) {
            var id = list("?status=" + status).text("deliveries/0/id");
            webhook.call("POST", "/deliveries/" + id + "/retry").expect(200);
        }
        assertThat(list("?status=waiting").text("total")).isEqualTo("3");
        assertThat(list("?status=delivered").text("total")).isEqualTo("1");
        assertThat(list("?status=dead").text("total")).isEqualTo("1");
        assertThat(list("").text("total")).isEqualTo("5");

        var sql = server.sql();
        sql.update("DELETE FROM webhook_deliveries WHERE webhook_id = ?::uuid AND status = 'dead'", webhook.id());
        assertThat(list("").text("total")).isEqualTo("4");
        sql.update("DELETE FROM webhook_deliveries WHERE webhook_id = ?::uuid", webhook.id());

        assertThat(list("").text("total")).isEqualTo("0");
        assertThat(sql.count("SELECT count(*) FROM webhook_delivery_counts WHERE webhook_id = ?::uuid", webhook.id()))
                .isZero();
    }

    @Test
    void concurrentRetriesChangeTheTotalsOnce() {
        var id = webhook.addDelivery("dead");
        webhook.addDelivery("dead");
        var answers = IntStream.range(0, 8)
                .mapToObj(i ->
                        webhook.call("POST", "/deliveries/" + id + "/retry").sendAsync())
                .toList();
        answers.forEach(CompletableFuture::join);
        assertThat(kept("dead")).isEqualTo(1);
    }
}
