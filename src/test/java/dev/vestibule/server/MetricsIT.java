package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class MetricsIT {
    private final TestServer server;
    private final ApiClient management;
    private final TestProject project;

    MetricsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of());
        management = ApiClient.undescribed(server.managementUrl());
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void requestsAreCountedByRouteTemplateAndStatus() {
        var jwks = "/v1/projects/:projectId/.well-known/jwks.json";
        server.api().get(jwks.replace(":projectId", project.id())).expect(200);
        server.api().get(jwks.replace(":projectId", "none")).expect(404);
        project.trySignIn("ann@example.com", "not the password").expect(401);

        awaitLine("vertx_http_server_requests_total", "route=\"GET " + jwks + "\"", "code=\"200\"");
        awaitLine("vertx_http_server_requests_total", "route=\"GET " + jwks + "\"", "code=\"404\"");
        awaitLine("vertx_http_server_requests_total", "route=\"POST /v1/auth/signin\"", "code=\"401\"");
        awaitLine("vertx_http_server_response_time_seconds_count", "route=\"POST /v1/auth/signin\"");
    }

    @Test
    void responseTimesAreAHistogramByRouteTemplateAndStatusClass() {
        var time = "vertx_http_server_response_time_seconds";
        project.signUp();
        project.trySignIn("ann@example.com", "not the password").expect(401);
        project.manage("GET", "/v1/dashboard/users").expect(200);

        awaitLine(time + "_bucket", "route=\"POST /v1/auth/signup\"", "status=\"2xx\"", "le=\"0.01\"");
        awaitLine(time + "_bucket", "route=\"POST /v1/auth/signin\"", "status=\"4xx\"", "le=\"+Inf\"");
        awaitLine(time + "_count", "route=\"GET /v1/dashboard/users\"", "status=\"2xx\"");
        var counts = lines(time + "_bucket").stream()
                .filter(line -> line.contains("POST /v1/auth/signup"))
                .map(MetricsIT::valueOf)
                .toList();
        assertThat(counts).hasSize(14).isSorted();
        assertThat(counts.get(counts.size() - 1)).isEqualTo(1.0);
        assertThat(lines(time + "_bucket"))
                .noneMatch(line -> line.contains("code=") || line.contains("/v1/dashboard/>"));
    }

    @Test
    void aNodeReportsThatItServesAndReadsChanges() {
        Eventually.until("it serves", () -> value("vestibule_ready") == 1);
        // it may not be for a moment, if a busy machine is late with a heartbeat
        Eventually.until("it hears of changes", () -> value("vestibule_feed_healthy") == 1);
        assertThat(value("vestibule_log_dropped_total")).isZero();
        assertThat(value("vestibule_secrets_unknown_total")).isZero();
    }

    @Test
    void noInventedPathBecomesALabel() throws IOException {
        var before = labelled();
        for (int i = 0; i < 50; i++) {
            server.api().get("/odd-path/" + i).expect(404);
            server.api().get("/v1/auth/odd-path?number=" + i).expect(404);
            server.api()
                    .get("/v1/projects/odd-path-" + i + "/.well-known/jwks.json")
                    .expect(404);
            server.api().call("ODD" + i, "/v1/auth/me").send();
            management.get("/odd-path/" + i).expect(404);
        }
        raw("GET http://odd-path.example/%00 HTTP/1.1\r\nHost: odd-path\r\n\r\n");
        raw("odd-path\r\n\r\n");

        assertThat(management.get("/metrics").expect(200).body()).doesNotContain("odd-path", "ODD1");
        assertThat(labelled()).isLessThan(before + 100);
    }

    @Test
    void hashesPoolsAndTheJvmAreMeasured() {
        project.signUp();
        Eventually.until("it is counted", () -> value("vestibule_hashing_time_seconds_count") > 0);
        assertThat(value("vestibule_hashing_wait_seconds_count")).isPositive();
        assertThat(value("vestibule_hashing_queue")).isZero();
        Eventually.until("none is active", () -> value("vestibule_hashing_active") == 0);
        assertThat(value("vestibule_hashing_refused_total")).isZero();
        assertThat(lines("vertx_pool_in_use")).anyMatch(line -> line.contains("writes-"));
        assertThat(lines("vertx_sql_processing_pending")).isNotEmpty();
        assertThat(lines("jvm_memory_used_bytes")).isNotEmpty();
        assertThat(lines("jvm_threads_live_threads")).isNotEmpty();
        assertThat(lines("process_cpu_usage")).isNotEmpty();
    }

    /**
     * Two event loops serve the API, and another listener serves management: each connection counts once, at its own
     * listener.
     */
    @Test
    void connectionsAreCountedOverAllEventLoopsAndSeparatelyFromManagement() throws IOException {
        var idle = new ArrayList<Socket>();
        var before = connections();
        for (int i = 0; i < 7; i++) {
            idle.add(new Socket(
                    InetAddress.getLoopbackAddress(), server.api().base().getPort()));
        }
        Eventually.until("seven more are counted", () -> connections() == before + 7);
        for (var socket : idle) {
            socket.close();
        }
        Eventually.until("they are gone again", () -> connections() <= before); // an older one may have ended
    }

    @Test
    void noRequestStaysActiveForever() {
        for (int i = 0; i < 20; i++) {
            project.signUp();
            project.trySignIn(TestServer.newEmail(), "not the password").expect(401);
        }
        Eventually.until("none is active", () -> {
            var active = lines("vertx_http_server_active_requests").stream()
                    .filter(line -> line.contains("0.0.0.0:"))
                    .toList();
            return !active.isEmpty() && active.stream().allMatch(line -> line.endsWith(" 0.0"));
        });
    }

    /** A request is counted once its response is sent, which the client may know earlier. */
    private void awaitLine(String meter, String... labels) {
        Eventually.until(
                meter + List.of(labels),
                () -> lines(meter).stream().anyMatch(line -> Stream.of(labels).allMatch(line::contains)));
    }

    private double connections() {
        return lines("vertx_http_server_active_connections").stream()
                .filter(line -> line.contains("0.0.0.0:"))
                .mapToDouble(MetricsIT::valueOf)
                .sum();
    }

    private double value(String meter) {
        var lines = lines(meter);
        assertThat(lines).as(meter).hasSize(1);
        return valueOf(lines.get(0));
    }

    private static double valueOf(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    private List<String> lines(String meter) {
        return management
                .get("/metrics")
                .expect(200)
                .body()
                .lines()
                .filter(line -> line.matches(meter + "[{ ].*"))
                .toList();
    }

    private long labelled() {
        return management
                .get("/metrics")
                .expect(200)
                .body()
                .lines()
                .filter(line -> !line.contains("_bucket{"))
                .count();
    }

    private void raw(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.api().base().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            assertThat(socket.getInputStream().read()).isPositive();
        }
    }
}
