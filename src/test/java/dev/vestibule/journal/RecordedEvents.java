package dev.vestibule.journal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithWebhooks;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.SigningSecret;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;

/** The events of a project in the outbox, for an endpoint that cannot be reached. */
record RecordedEvents(TestServer server, TestProject project) {
    private static final String SUBSCRIBE = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            VALUES (?::uuid, ?::uuid, 'http://203.0.113.1/', ?::text[], ?, ?, now(), now())
            """;

    private static final String PAYLOADS = """
            SELECT payload FROM webhook_events WHERE project_id = ?::uuid ORDER BY created_at, id
            """;

    static RecordedEvents of(TestServer server, TestProject project) {
        var recorded = new RecordedEvents(server, project);
        recorded.subscribe("active", EventKind.ALL);
        return recorded;
    }

    void subscribe(String status, String... events) {
        var id = UUID.randomUUID();
        var secret =
                SigningSecret.generate().seal(WithWebhooks.sealer(), new ProjectId(UUID.fromString(project.id())), id);
        server.sql()
                .update(SUBSCRIBE, project.id(), id.toString(), "{" + String.join(",", events) + "}", status, secret);
    }

    /** In the order in which they were recorded. */
    List<JsonNode> all() {
        return server.sql().texts(PAYLOADS, project.id()).stream()
                .map(text -> Json.parse(Buffer.buffer(text)))
                .toList();
    }

    /** Each event as its type, and its reason if it has one. */
    List<String> summary() {
        return all().stream()
                .map(event -> event.get("type").textValue()
                        + event.at("/data/reason").asText().transform(reason -> reason.isEmpty() ? "" : " " + reason))
                .toList();
    }

    /** The last event of a type. */
    JsonNode last(String type) {
        return all().stream()
                .filter(event -> event.get("type").textValue().equals(type))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    void forget() {
        server.sql().update("DELETE FROM webhook_deliveries WHERE project_id = ?::uuid", project.id());
        server.sql().update("DELETE FROM webhook_events WHERE project_id = ?::uuid", project.id());
    }
}
