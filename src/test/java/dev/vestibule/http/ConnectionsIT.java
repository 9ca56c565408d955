package dev.vestibule.http;

import static dev.vestibule.fixture.RawConnection.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many connections clients can have, and how long one can take. */
@ExtendWith(WithServer.class)
class ConnectionsIT {
    private static final String REQUEST = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String INCOMPLETE = REQUEST.substring(0, REQUEST.length() - 2);

    private final TestDatabase database;
    private final List<AutoCloseable> opened = new ArrayList<>();

    ConnectionsIT(TestDatabase database) {
        this.database = database;
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size(); i > 0; i--) {
            opened.get(i - 1).close();
        }
    }

    private TestServer start(String... settings) {
        var environment = new HashMap<>(Map.of("VESTIBULE_HTTP_EVENT_LOOPS", "1"));
        for (int i = 0; i < settings.length; i += 2) {
            environment.put(settings[i], settings[i + 1]);
        }
        var server = TestServer.start(database, environment);
        opened.add(server);
        return server;
    }

    private RawConnection connect(TestServer server) {
        var connection = RawConnection.to(server.api().base());
        opened.add(connection);
        return connection;
    }

    @Test
    void aConnectionWithoutARequestIsClosed() {
        assertThat(connect(start("VESTIBULE_HTTP_HEAD_SECONDS", "1")).isClosedByServer())
                .isTrue();
    }

    @Test
    void aHeadThatArrivesTooSlowlyIsAborted() {
        var connection = connect(start("VESTIBULE_HTTP_HEAD_SECONDS", "1"));
        connection.send("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n");
        Eventually.until("it is closed", () -> connection.trySend("X-A: b\r\n").isClosedByNow());
    }

    @Test
    void aSlowHeadOfALaterRequestIsAbortedToo() {
        var connection = connect(start("VESTIBULE_HTTP_IDLE_TIMEOUT_SECONDS", "2"));
        assertThat(connection.send(REQUEST).receive().status()).isEqualTo(200);
        connection.send(INCOMPLETE);
        Eventually.until("it is closed", () -> connection.trySend("X-A: b\r\n").isClosedByNow());
    }

    @Test
    void aNetworkHasALimitOfConnections() {
        var server = start("VESTIBULE_HTTP_MAX_CONNECTIONS_PER_NETWORK", "3");
        var first = connect(server).send(REQUEST);
        assertThat(first.receive().status()).isEqualTo(200);
        assertThat(connect(server).send(REQUEST).receive().status()).isEqualTo(200);
        assertThat(connect(server).send(REQUEST).receive().status()).isEqualTo(200);
        assertThat(connect(server).isClosedByServer()).isTrue();

        first.close();
        Eventually.until("there is room again", () -> isServed(connect(server).trySend(REQUEST)));
    }

    private static boolean isServed(RawConnection connection) {
        try {
            return connection.receive().status() == 200;
        } catch (UncheckedIOException | IllegalStateException closed) {
            return false;
        }
    }

    @Test
    void aTrustedProxyCanHaveAnyNumberOfConnections() {
        var server = start(
                "VESTIBULE_HTTP_MAX_CONNECTIONS_PER_NETWORK",
                "3",
                "VESTIBULE_HTTP_TRUSTED_PROXIES",
                "127.0.0.1/32,::1/128");
        for (int i = 0; i < 10; i++) {
            assertThat(connect(server).send(REQUEST).receive().status()).isEqualTo(200);
        }
    }

    @Test
    void allConnectionsTogetherHaveALimit() {
        var server = start("VESTIBULE_HTTP_MAX_CONNECTIONS", "3");
        for (int i = 0; i < 3; i++) {
            assertThat(connect(server).send(REQUEST).receive().status()).isEqualTo(200);
        }
        assertThat(connect(server).isClosedByServer()).isTrue();
    }

    @Test
    void connectionsWithoutARequestMakeWayForOthers() {
        var server = start("VESTIBULE_HTTP_MAX_SILENT_CONNECTIONS", "2");
        var oldest = connect(server);
        assertThat(connect(server).send(REQUEST).receive().status()).isEqualTo(200);
        var second = connect(server);
        assertThat(oldest.isClosedByNow()).isFalse();
        var third = connect(server);
        assertThat(oldest.isClosedByServer()).isTrue();
        assertThat(second.send(REQUEST).receive().status()).isEqualTo(200);
        assertThat(third.send(REQUEST).receive().status()).isEqualTo(200);
    }

    @Test
    void anImportCanTakeLonger() {
        var unhurried = start();
        var project = unhurried.newProject();
        var server = TestServer.startOn(
                unhurried.databaseUrl(),
                Map.of("VESTIBULE_HTTP_EVENT_LOOPS", "1", "VESTIBULE_HTTP_BODY_SECONDS", "1"),
                Clock.tickMillis(ZoneOffset.UTC));
        opened.add(server);
        var slow = connect(server)
                .send(head("POST", "/v1/dashboard/users/import", 4, "x-api-key: " + project.secretKey()) + "{}");
        assertThat(slow.isClosedByNow()).isFalse();
        var other = connect(server).send(head("POST", "/v1/dashboard/auth/login", 4) + "{}");
        assertThat(other.receive().status()).isEqualTo(408);
        slow.send("\n\n");
        assertThat(slow.receive().status()).isEqualTo(200);
    }

    @Test
    void anImportThatSendsNothingForLongIsClosed() {
        var server = start("VESTIBULE_HTTP_IDLE_TIMEOUT_SECONDS", "1", "VESTIBULE_IMPORTS_LINE_SECONDS", "600");
        var project = server.newProject();
        var silent = connect(server)
                .send(head("POST", "/v1/dashboard/users/import", 4, "x-api-key: " + project.secretKey()) + "{}");
        assertThat(silent.isClosedByServer()).isTrue();
    }

    /** Or its responses would stay in memory for as long as it likes, however many connections it has. */
    @Test
    void aClientThatReadsNothingIsCutOff() {
        var server = start("VESTIBULE_HTTP_IDLE_TIMEOUT_SECONDS", "1");
        var unread = connect(server).send(REQUEST.repeat(30));
        Eventually.until("it is dropped", unread::isDropped);
        var metrics = ApiClient.undescribed(server.managementUrl());
        Eventually.until("it is counted once", () -> {
            var text = metrics.get("/metrics").expect(200).body();
            return text.contains("vestibule_http_connections 0.0") && text.contains("reason=\"slow\"} 1.0");
        });
    }

    /** Also a port that the system chooses. Each loop has connections of its own to the database. */
    @Test
    void allEventLoopsServeTheSamePort() {
        var server = start("VESTIBULE_HTTP_EVENT_LOOPS", "2");
        var request = "GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + server.newProject().signUp().accessToken() + "\r\n\r\n";
        for (var number = 0; number < 4; number++) {
            var connection = connect(server);
            for (var times = 0; times < 50; times++) {
                assertThat(connection.send(request).receive().status()).isEqualTo(200);
            }
        }
        assertThat(server.metrics().lines())
                .filteredOn(line -> line.startsWith("vertx_pool_completed_total{pool_name=\"reads-"))
                .filteredOn(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) >= 100)
                .hasSizeGreaterThan(1);
    }

    @Test
    void anUpgradeToHttp2IsIgnored() {
        var answer = connect(start())
                .send(head(
                                "POST",
                                "/v1/dashboard/auth/login",
                                2,
                                "Connection: Upgrade, HTTP2-Settings",
                                "Upgrade: h2c",
                                "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA")
                        + "{}")
                .receive();
        assertThat(answer.status()).isEqualTo(422);
    }

    @Test
    void aClientOfHttp10IsServed() {
        var connection = connect(start()).send("GET /v1/openapi.json HTTP/1.0\r\n\r\n");
        assertThat(connection.receive().status()).isEqualTo(200);
        assertThat(connection.isClosedByServer()).isTrue();
    }
}
