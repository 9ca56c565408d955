package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class WebhookEndpointsIT {
    private static final String PATH = "/v1/dashboard/webhooks";
    private static final String URL = "http://127.0.0.1:1/hook?of=ours";
    private static final String UNKNOWN = "019ba6eb-5800-73e4-9f21-6b0d84e7a915";

    private final TestServer server;
    private final TestDatabase database;
    private final TestProject project;

    WebhookEndpointsIT(TestServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
        this.project = server.newProject();
    }

    private Call tryCreate(Object url, Object events) {
        return project.manage("POST", PATH).json(Map.of("url", url, "events", events));
    }

    private TestWebhook create() {
        return TestWebhook.create(server, project, URL);
    }

    private Response list(String query) {
        return project.manage("GET", PATH + query).expect(200);
    }

    @Test
    void aNewProjectHasNoEndpoints() {
        assertThat(list("").body()).isEqualTo("{\"webhooks\":[],\"total\":0}");
    }

    @Test
    void aNewEndpointIsActiveAndItsSecretIsShownOnce() {
        var created = tryCreate(URL, List.of("user.created", "session.ended")).expect(201);

        assertThat(created.json().fieldNames())
                .toIterable()
                .containsExactly("id", "url", "events", "signingSecret", "status", "createdAt");
        assertThat(created.text("url")).isEqualTo(URL);
        assertThat(created.json().path("events")).hasToString("[\"user.created\",\"session.ended\"]");
        assertThat(created.text("status")).isEqualTo("active");
        assertThat(created.text("signingSecret")).matches("whsec_[A-Za-z0-9+/]{43}=");

        var read = project.manage("GET", PATH + "/" + created.text("id")).expect(200);
        assertThat(read.json().fieldNames())
                .toIterable()
                .containsExactly("id", "url", "events", "status", "failingSince", "createdAt", "updatedAt");
        assertThat(read.text("createdAt")).isEqualTo(created.text("createdAt"));
        assertThat(list("").json().path("webhooks")).singleElement().isEqualTo(read.json());
        assertThat(list("").body()).doesNotContain("whsec_");
    }

    @Test
    void anEventKindGivenTwiceCountsOnce() {
        assertThat(tryCreate(URL, List.of("user.created", "*", "user.created"))
                        .expect(201)
                        .json()
                        .path("events"))
                .hasToString("[\"user.created\",\"*\"]");
    }

    @Test
    void endpointsAreListedNewestFirstInPages() {
        var first = create();
        var second = create();
        var third = create();

        assertThat(list("?limit=2").json().path("webhooks"))
                .extracting(webhook -> webhook.path("id").asText())
                .containsExactly(third.id(), second.id());
        var rest = list("?limit=2&offset=2");
        assertThat(rest.text("webhooks/0/id")).isEqualTo(first.id());
        assertThat(rest.text("total")).isEqualTo("3");
        assertThat(project.manage("GET", PATH + "?limit=0&offset=-1")
                        .expect(422)
                        .failingFields())
                .containsExactly("limit", "offset");
    }

    @Test
    void anUpdateChangesOnlyTheGivenFields() {
        var webhook = create();

        var moved = webhook.call("PATCH", "")
                .json(Map.of("url", "http://127.0.0.1:2/other"))
                .expect(200);
        assertThat(moved.text("success")).isEqualTo("true");
        assertThat(moved.text("webhook/url")).isEqualTo("http://127.0.0.1:2/other");
        assertThat(moved.json().at("/webhook/events")).hasToString("[\"*\"]");
        var narrowed = webhook.call("PATCH", "")
                .json(Map.of("events", List.of("user.deleted"), "status", "disabled"))
                .expect(200);
        assertThat(narrowed.text("webhook/url")).isEqualTo("http://127.0.0.1:2/other");
        assertThat(narrowed.json().at("/webhook/events")).hasToString("[\"user.deleted\"]");
        assertThat(narrowed.text("webhook/status")).isEqualTo("disabled");
        assertThat(webhook.call("PATCH", "").json(Map.of()).expect(200).json().path("webhook"))
                .isEqualTo(webhook.call("GET", "").expect(200).json());
    }

    @Test
    void enablingOrMovingAnEndpointResetsItsFailures() {
        var webhook = create();
        markFailing(webhook);
        assertThat(change(webhook, Map.of("events", List.of("*"))).isNull()).isFalse();
        assertThat(change(webhook, Map.of("url", URL)).isNull()).isFalse();
        assertThat(change(webhook, Map.of("url", URL + "2")).isNull()).isTrue();
        markFailing(webhook);
        assertThat(change(webhook, Map.of("status", "disabled")).isNull()).isFalse();
        assertThat(change(webhook, Map.of("status", "active")).isNull()).isTrue();
    }

    private void markFailing(TestWebhook webhook) {
        server.sql()
                .update(
                        "UPDATE webhooks SET failing_since = now() - interval '4 days' WHERE id = ?::uuid",
                        webhook.id());
        assertThat(webhook.call("GET", "").expect(200).text("failingSince")).endsWith("Z");
    }

    private static JsonNode change(TestWebhook webhook, Map<String, ?> fields) {
        return webhook.call("PATCH", "").json(fields).expect(200).json().at("/webhook/failingSince");
    }

    @Test
    void aDeletedEndpointIsNotFound() {
        var webhook = create();
        var delivery = webhook.addDelivery("dead");

        assertThat(webhook.call("DELETE", "").expect(200).body()).isEqualTo("{\"success\":true}");
        isUnknown(project, webhook.id(), delivery);
        assertThat(list("").text("total")).isEqualTo("0");
    }

    @Test
    void theEndpointsOfAnotherProjectAreNotFound() {
        var webhook = create();
        var delivery = webhook.addDelivery("dead");

        isUnknown(server.newProject(), webhook.id(), delivery);
        webhook.call("GET", "").expect(200);
        webhook.call("GET", "/deliveries/" + delivery).expect(200);
        for (var id : List.of(UNKNOWN, "no-id", "%00", "1e300")) {
            isUnknown(project, id, delivery);
        }
    }

    private static void isUnknown(TestProject project, String id, String delivery) {
        var path = PATH + "/" + id;
        project.manage("GET", path).expect(404);
        project.manage("PATCH", path).json(Map.of("status", "disabled")).expect(404);
        project.manage("DELETE", path).expect(404);
        project.manage("POST", path + "/rotate-secret").expect(404);
        project.manage("POST", path + "/test").expect(404);
        project.manage("GET", path + "/deliveries").expect(404);
        project.manage("POST", path + "/deliveries/retry").expect(404);
        project.manage("GET", path + "/deliveries/" + delivery).expect(404);
        project.manage("POST", path + "/deliveries/" + delivery + "/retry").expect(404);
    }

    @Test
    void concurrentCreationsCannotExceedTheConfiguredMaximum() {
        try (var small = TestServer.start(database, Map.of("VESTIBULE_WEBHOOKS_MAX_ENDPOINTS", "3"))) {
            var there = small.newProject();

            var answers = Parallel.send(
                    10, number -> there.manage("POST", PATH).json(Map.of("url", URL, "events", List.of("*"))));
            assertThat(answers).extracting(Response::status).containsOnly(201, 409);
            assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(3);
            var id = there.manage("GET", PATH).expect(200).text("webhooks/0/id");
            there.manage("DELETE", PATH + "/" + id).expect(200);
            TestWebhook.create(small, there, URL);
            TestWebhook.create(small, small.newProject(), URL);
        }
    }
}
