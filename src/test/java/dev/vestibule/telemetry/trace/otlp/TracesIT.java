package dev.vestibule.telemetry.trace.otlp;

import static dev.vestibule.fixture.TestCollector.attribute;
import static dev.vestibule.fixture.TestCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestCollector;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an OpenTelemetry collector receives, and what happens if it does not respond. */
@ExtendWith(WithServer.class)
class TracesIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    private final TestDatabase database;
    private final TestCollector collector = TestCollector.start();

    TracesIT(TestDatabase database) {
        this.database = database;
    }

    @AfterEach
    void closeCollector() {
        collector.close();
    }

    private TestServer traced() {
        return TestServer.start(database, collector.variables());
    }

    private static ApiClient.Call signIn(TestProject project, String requestId) {
        return project.trySignIn("ann@example.com", TestProject.PASSWORD).header("X-Request-Id", requestId);
    }

    @Test
    void aSignInIsOneTraceWithItsHashAndStatements() {
        try (var server = traced()) {
            var project = server.newProject();
            project.signUp("ann@example.com");
            signIn(project, "a-sign-in").expect(200);

            var request = collector.awaitRequest("a-sign-in");
            assertThat(request.getName()).isEqualTo("POST /v1/auth/signin");
            assertThat(request.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
            assertThat(request.getParentSpanId()).isEmpty();
            assertThat(request.getLinksList()).isEmpty();
            assertThat(request.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
            assertThat(request.getAttributesList())
                    .extracting(given -> given.getKey() + "=" + attribute(request, given.getKey()))
                    .containsExactlyInAnyOrder(
                            "http.request.method=POST",
                            "http.route=/v1/auth/signin",
                            "http.response.status_code=200",
                            "vestibule.request.id=a-sign-in",
                            "vestibule.project.id=" + project.id());
            assertThat(collector.children(request))
                    .anySatisfy(span -> assertThat(span.getName()).isEqualTo("hash a password"))
                    .anySatisfy(span -> {
                        assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
                        assertThat(attribute(span, "db.system.name")).isEqualTo("postgresql");
                        assertThat(attribute(span, "db.operation.name")).isEqualTo(span.getName());
                        assertThat(attribute(span, "db.query.text"))
                                .startsWith(span.getName())
                                .contains("$1");
                    });
            assertThat(collector.services()).containsExactly("vestibule");
        }
    }

    @Test
    void aStrangersTraceparentIsALinkAndNeverTheParent() {
        try (var server = traced()) {
            var flags = List.of("01", "00"); // whose sender has sampled, and has not
            for (var sampled : flags) {
                server.api()
                        .get("/v1/auth/me")
                        .header("X-Request-Id", "linked-" + sampled)
                        .header("traceparent", "00-" + TRACE + "-" + SPAN + "-" + sampled)
                        .header("tracestate", "secret=sk_live_in_a_tracestate")
                        .header("baggage", "secret=sk_live_in_baggage")
                        .expect(401);

                var request = collector.awaitRequest("linked-" + sampled);
                assertThat(hex(request.getTraceId())).isNotEqualTo(TRACE);
                assertThat(request.getParentSpanId()).isEmpty();
                assertThat(request.getLinksList()).singleElement().satisfies(link -> {
                    assertThat(hex(link.getTraceId())).isEqualTo(TRACE);
                    assertThat(hex(link.getSpanId())).isEqualTo(SPAN);
                    assertThat(link.getTraceState()).isEmpty();
                });
            }
            assertThat(collector.text()).doesNotContain("sk_live_in");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "00",
                "00-" + TRACE + "-" + SPAN,
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-" + TRACE + "g-" + SPAN + "-01",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN + "-01-sk_live_behind_it",
            })
    void aMalformedTraceparentIsIgnored(String traceparent) {
        try (var server = traced()) {
            server.api()
                    .get("/v1/auth/me")
                    .header("X-Request-Id", "malformed")
                    .header("traceparent", traceparent)
                    .expect(401);
            assertThat(collector.awaitRequest("malformed").getLinksList()).isEmpty();
        }
    }

    @Test
    void nothingSecretIsExported() {
        try (var server = traced()) {
            var project = server.newProject();
            var secrets = new ArrayList<>(List.of(
                    TestProject.PASSWORD,
                    "ann@example.com",
                    "a wrong password",
                    project.publishableKey(),
                    project.secretKey(),
                    "127.0.0.1",
                    TestServer.SECRET));
            var tokens = project.signUp("ann@example.com");
            secrets.addAll(List.of(tokens.accessToken(), tokens.refreshToken()));
            project.me(tokens.accessToken()).expect(200);
            project.verify(tokens.accessToken()).expect(200);
            secrets.add(project.refresh(tokens.refreshToken()).expect(200).refreshToken());
            project.trySignIn("ann@example.com", "a wrong password").expect(401);
            project.post("/v1/auth/signup")
                    .json(Map.of("email", "ann@example.com", "password", TestProject.PASSWORD))
                    .expect(409);
            project.manage("GET", "/v1/dashboard/users?search=ann@example.com").expect(200);
            var api = server.api();
            api.get("/v1/auth/" + tokens.refreshToken()).send();
            api.get("/v1/auth/me?token=" + tokens.accessToken()).send();
            api.get("/v1/projects/" + project.secretKey() + "/.well-known/jwks.json")
                    .send();
            ApiClient.undescribed(api.base()).call("HUNTER2", "/v1/auth/me").send();
            api.get("/v1/auth/me").header("X-Request-Id", "the-last").send();

            collector.awaitRequest("the-last");
            collector.await(
                    "the span of the unknown method", span -> span.getName().startsWith("_OTHER"));
            assertThat(collector.spans()).hasSizeGreaterThan(20);
            assertThat(collector.text()).doesNotContain(secrets).doesNotContain("HUNTER2", "?token", "search=");
        }
    }

    @Test
    void aServerFailureIsAnErrorAndARefusalIsNot() {
        try (var server = traced()) {
            var project = server.newProject();
            project.signUp("ann@example.com");
            server.sql().update("ALTER TABLE sessions RENAME TO sessions_elsewhere");
            signIn(project, "a-failure").expect(500);
            server.sql().update("ALTER TABLE sessions_elsewhere RENAME TO sessions");
            project.trySignIn("ann@example.com", "wrong")
                    .header("X-Request-Id", "a-refusal")
                    .expect(401);

            var failure = collector.awaitRequest("a-failure");
            assertThat(failure.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(failure.getStatus().getMessage()).isEmpty();
            assertThat(attribute(failure, "error.type")).isEqualTo("500");
            assertThat(collector.children(failure)).anySatisfy(span -> {
                assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
                assertThat(span.getStatus().getMessage()).isEmpty();
                assertThat(attribute(span, "db.response.status_code")).isEqualTo("42P01");
            });
            assertThat(collector.awaitRequest("a-refusal").getStatus().getCode())
                    .isEqualTo(StatusCode.STATUS_CODE_UNSET);
        }
    }

    @Test
    void aSharedStatementIsLinkedToAllRequestsThatItServed() {
        try (var server = traced()) {
            var project = server.newProject();
            var sessions =
                    List.of(project.signUp().accessToken(), project.signUp().accessToken());
            Eventually.until("a statement served two requests", () -> {
                Parallel.send(32, number -> project.me(sessions.get(number % 2)));
                return collector.spans().stream().anyMatch(span -> span.getLinksCount() > 1);
            });

            var shared = collector.await("a shared statement", span -> span.getLinksCount() > 1);
            assertThat(shared.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
            assertThat(shared.getParentSpanId()).isEmpty();
            for (var link : shared.getLinksList()) {
                var served = collector.await(
                        "a request that was served", span -> span.getSpanId().equals(link.getSpanId()));
                assertThat(served.getTraceId()).isEqualTo(link.getTraceId()).isNotEqualTo(shared.getTraceId());
                assertThat(served.getName()).isEqualTo("GET /v1/auth/me");
            }
        }
    }

    @Test
    void aRequestToAnotherServerExportsOnlyItsHostAndCarriesNoTrace() {
        try (var receiver = TestReceiver.start();
                var server = traced()) {
            var project = server.newProject();
            project.manage("POST", "/v1/dashboard/webhooks")
                    .json(Map.of(
                            "url",
                            receiver.url("/a-secret-path") + "?key=a-secret-query",
                            "events",
                            List.of("user.created")))
                    .expect(201);
            project.signUp();
            var delivery = receiver.await("/a-secret-path", 1).get(0);

            var span = collector.await(
                    "the delivery's span",
                    one -> attribute(one, "server.port").equals(Integer.toString(receiver.port())));
            assertThat(span.getName()).isEqualTo("POST");
            assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
            assertThat(attribute(span, "server.address")).isEqualTo("127.0.0.1");
            assertThat(attribute(span, "http.response.status_code")).isEqualTo("200");
            assertThat(delivery.headers()).doesNotContainKeys("traceparent", "tracestate", "b3", "baggage");
            assertThat(collector.text()).doesNotContain("a-secret-path", "a-secret-query");
        }
    }

    @Test
    void aDeadCollectorFailsNoRequestAndIsLogged() {
        try (var lines = new LoggedLines(LibraryLog.class)) {
            var variables = Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + FreePort.find(),
                    "OTEL_EXPORTER_OTLP_HEADERS", "authorization=a-secret-header",
                    "OTEL_EXPORTER_OTLP_TIMEOUT", "500",
                    "OTEL_BSP_SCHEDULE_DELAY", "50");
            try (var server = TestServer.start(database, variables)) {
                var project = server.newProject();
                for (var i = 0; i < 50; i++) {
                    project.signUp();
                }
                Eventually.until("the log tells of it", () -> !lines.all().isEmpty());
            }
            assertThat(lines.text())
                    .contains("Failed to export spans", "ConnectException")
                    .doesNotContain("a-secret-header");
            assertThat(lines.all()).hasSizeLessThan(8);
        }
    }

    @Test
    void spansWaitForASlowCollectorInABoundedQueueAndAStopDoesNotWaitForIt() {
        collector.hang();
        var variables = collector.variables();
        variables.put("OTEL_BSP_MAX_QUEUE_SIZE", "32");
        variables.put("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8");
        variables.put("OTEL_BSP_EXPORT_TIMEOUT", "600000");
        variables.put("OTEL_EXPORTER_OTLP_TIMEOUT", "600000");
        long stopped;
        try (var server = TestServer.start(database, variables)) {
            var api = server.api();
            api.get("/v1/auth/me").expect(401);
            Eventually.until("the collector holds a batch", () -> collector.requests() == 1);
            for (var i = 0; i < 200; i++) {
                api.get("/v1/auth/me").expect(401);
            }
            assertThat(collector.requests()).isEqualTo(1);
            collector.answer();
            Eventually.until("what waited has come", () -> collector.spans().size() >= 32);
            assertThat(collector.spans()).hasSizeLessThanOrEqualTo(8 + 32 + 1); // under way, waiting
            collector.hang();
            api.get("/v1/auth/me").expect(401);
            stopped = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void aStopSendsTheWaitingSpans() {
        var variables = collector.variables();
        variables.put("OTEL_BSP_SCHEDULE_DELAY", "600000");
        var id = UUID.randomUUID().toString();
        try (var server = TestServer.start(database, variables)) {
            server.api().get("/v1/auth/me").header("X-Request-Id", id).expect(401);
            assertThat(collector.requests()).isZero();
        }
        assertThat(collector.text()).contains(id);
    }

    @Test
    void healthChecksAreNotTraced() {
        try (var server = traced()) {
            ApiClient.undescribed(server.managementUrl()).get("/health/ready").send();
            server.api().get("/v1/auth/me").header("X-Request-Id", "after-it").expect(401);
            collector.awaitRequest("after-it");
            assertThat(collector.spans())
                    .filteredOn(span -> span.getKind() == Span.SpanKind.SPAN_KIND_SERVER)
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OTEL_EXPORTER_OTLP_HEADERS=hunter2",
                "OTEL_EXPORTER_OTLP_ENDPOINT=htp://u:hunter2@collector",
                "OTEL_EXPORTER_OTLP_PROTOCOL=grpc",
                "OTEL_BSP_SCHEDULE_DELAY=soon",
            })
    void aWrongVariableStopsTheStartWithoutItsSecret(String variable) {
        var variables = collector.variables();
        var parts = variable.split("=", 2);
        variables.put(parts[0], parts[1]);
        assertThatThrownBy(() -> TestServer.start(database, variables))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasNoCause()
                .hasMessageStartingWith("OTEL_")
                .message()
                .doesNotContain("hunter2");
    }
}
