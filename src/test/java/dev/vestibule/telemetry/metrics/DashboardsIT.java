package dev.vestibule.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The metrics that the dashboard and the alerts under docker query exist on a server with some traffic. */
@ExtendWith(WithServer.class)
class DashboardsIT {
    private final TestDatabase database;

    DashboardsIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void everyQueryOfTheDashboardAndTheAlertsFindsItsMetrics() throws IOException {
        var queries = new ArrayList<>(texts(new ObjectMapper().readTree(file("grafana/vestibule.json")), "expr"));
        queries.addAll(texts(new ObjectMapper().readTree(file("grafana/vestibule.json")), "query").stream()
                .filter(query -> query.contains("("))
                .toList());
        var alerts = texts(new YAMLMapper().readTree(file("prometheus/alerts.yml")), "expr");
        assertThat(queries).hasSizeGreaterThan(20);
        assertThat(alerts).hasSizeGreaterThan(10);
        queries.addAll(alerts);

        try (var server = TestServer.start(database, Map.of())) {
            generateTraffic(server);
            var management = ApiClient.undescribed(server.managementUrl());
            Eventually.until("all is counted", () -> {
                var scrape = new Promql(management.get("/metrics").expect(200).body());
                return queries.stream().allMatch(query -> scrape.faults(query).isEmpty());
            });
        }
    }

    /** Traffic of every kind that a query selects by a label. */
    private static void generateTraffic(TestServer server) {
        var project = server.newProject();
        var token = project.signUp().accessToken();
        project.me(token).expect(200);
        project.trySignIn("nobody@example.com", "not the password").expect(401);
        project.manage("GET", "/v1/dashboard/webhooks").expect(200);
        server.sql().update("ALTER TABLE webhooks RENAME TO webhooks_away");
        project.manage("GET", "/v1/dashboard/webhooks").expect(500);
    }

    private static File file(String name) {
        return Path.of("docker").resolve(name).toFile();
    }

    private static List<String> texts(JsonNode tree, String field) {
        return tree.findValues(field).stream()
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .toList();
    }
}
