package dev.vestibule.http;

import static dev.vestibule.fixture.RawConnection.chunk;
import static dev.vestibule.fixture.RawConnection.chunkedHead;
import static dev.vestibule.fixture.RawConnection.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.RawExchange;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of their requests strangers can make the server hold in memory. */
@ExtendWith(WithServer.class)
class BodyMemoryIT {
    private static final String LOGIN = "/v1/dashboard/auth/login";
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int LENGTH = 60_000;
    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128",
            "VESTIBULE_HTTP_MAX_BODY_BYTES_IN_FLIGHT", "" + 2 * MEBIBYTE,
            "VESTIBULE_HTTP_MAX_BODY_BYTES_PER_NETWORK", "" + MEBIBYTE,
            "VESTIBULE_HTTP_BODY_SECONDS", "60",
            "VESTIBULE_LIMITS_DASHBOARD_LOGIN_PER_MINUTE", "1000000");

    private final TestDatabase database;
    private TestServer server;
    private final List<RawConnection> connections = new ArrayList<>();

    BodyMemoryIT(TestDatabase database) {
        this.database = database;
        this.server = TestServer.start(database, SETTINGS);
    }

    @AfterEach
    void stop() {
        connections.forEach(RawConnection::close);
        server.close();
    }

    private RawConnection connect() {
        var connection = RawConnection.to(server.api().base());
        connections.add(connection);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATCH /v1/dashboard/projects/00000000-0000-7000-8000-000000000001/branding",
                "POST /v1/dashboard/projects",
                "PATCH /v1/auth/me",
                "POST /v1/dashboard/users",
                "POST /v1/dashboard/webhooks"
            })
    void withoutCredentialsNoBodyIsRead(String operation) {
        var line = operation.split(" ", 2);
        var answer = connect().send(head(line[0], line[1], LENGTH)).receive();
        assertThat(answer.status()).isEqualTo(401);
        assertThat(connect().send(chunkedHead(line[0], line[1])).receive().status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/refresh", "/v1/dashboard/webhooks"})
    void withAnInvalidKeyNoBodyIsRead(String path) {
        assertThat(connect()
                        .send(head("POST", path, LENGTH, "x-api-key: sk_live_nonsense"))
                        .receive()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aboveTheRateLimitNoBodyIsRead() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("VESTIBULE_LIMITS_DASHBOARD_LOGIN_PER_MINUTE", "1");
        settings.put("VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", "1");
        try (var limited = TestServer.start(database, settings)) {
            var project = limited.newProject();
            limited.api().post(LOGIN).json(Map.of()).expect(422);
            project.trySignIn("ann@example.com", "not the password").expect(401);
            try (var stranger = RawConnection.to(limited.api().base());
                    var holderOfAKey = RawConnection.to(limited.api().base())) {
                assertThat(stranger.send(head("POST", LOGIN, LENGTH)).receive().status())
                        .isEqualTo(429);
                assertThat(holderOfAKey
                                .send(head("POST", "/v1/auth/signin", LENGTH, "x-api-key: " + project.publishableKey()))
                                .receive()
                                .status())
                        .isEqualTo(429);
            }
        }
    }

    @Test
    void bodiesThatNeverEndLeaveRoomForThoseOfOtherNetworks() {
        for (int i = 0; i < 40; i++) {
            connect().trySend(head("POST", LOGIN, LENGTH, "X-Forwarded-For: 192.0.2.66") + "x".repeat(LENGTH - 1));
        }
        Eventually.until("the network has its share", () -> held() > MEBIBYTE - LENGTH);
        assertThat(held()).isLessThanOrEqualTo(MEBIBYTE);

        refused(connect()
                .send(head("POST", LOGIN, LENGTH, "X-Forwarded-For: 192.0.2.66"))
                .receive());
        server.api()
                .post(LOGIN)
                .header("X-Forwarded-For", "192.0.2.1")
                .json(Map.of("email", "ann@example.com", "password", "not the password"))
                .expect(401);

        connections.forEach(RawConnection::close);
        Eventually.until("all is given back", () -> held() == 0);
    }

    @Test
    void bodiesOfManyNetworksHaveATotalLimit() {
        for (int i = 0; i < 60; i++) {
            connect().trySend(chunkedHead("POST", LOGIN, "X-Forwarded-For: 192.0.2." + i) + chunk("x".repeat(LENGTH)));
        }
        Eventually.until("the budget is used", () -> held() > 2 * MEBIBYTE - LENGTH);
        assertThat(held()).isLessThanOrEqualTo(2 * MEBIBYTE);
        refused(connect()
                .send(head("POST", LOGIN, LENGTH, "X-Forwarded-For: 198.51.100.1"))
                .receive());
        assertThat(metric("vestibule_http_bodies_refused_total")).isPositive();

        connections.forEach(RawConnection::close);
        Eventually.until("all is given back", () -> held() == 0);
    }

    private static void refused(RawExchange answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).contains("2");
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(503);
    }

    @Test
    void aBodyThatIsTooSlowIsAborted() {
        giveUpAfterThreeSeconds();
        for (int i = 0; i < 20; i++) {
            connect().trySend(chunkedHead("POST", LOGIN, "X-Forwarded-For: 192.0.2." + i) + chunk("x".repeat(LENGTH)));
        }
        var connection = connect().send(head("POST", LOGIN, 10) + "{");
        var answer = connection.receive();
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.json().path("error").asText()).isEqualTo("Request Timeout");
        assertThat(connection.isClosedByServer()).isTrue();
        Eventually.until("all is given back", () -> held() == 0);
    }

    private void giveUpAfterThreeSeconds() {
        var settings = new HashMap<>(SETTINGS);
        settings.put("VESTIBULE_HTTP_BODY_SECONDS", "3");
        server.close();
        server = TestServer.start(database, settings);
    }

    @Test
    void theMemoryOfABodyIsReleasedWhateverHappensToIt() {
        connect().send(head("POST", LOGIN, LENGTH) + "x".repeat(1000)).close();
        connect().send(chunkedHead("POST", LOGIN) + chunk("x".repeat(1000)) + "nonsense\r\n\r\n");
        connect().send(chunkedHead("POST", LOGIN) + chunk("x".repeat(70_000)) + "0\r\n\r\n");
        connect().send(head("POST", LOGIN, 4) + "nono");
        var pipelined = head("POST", LOGIN, 2) + "{}";
        var connection = connect().send(pipelined + pipelined + head("POST", LOGIN, 2) + "{");
        assertThat(List.of(connection.receive().status(), connection.receive().status()))
                .containsExactly(422, 422);
        connection.close();
        Eventually.until("all is given back", () -> held() == 0);
    }

    /**
     * While the guard asks the database, the connection ends, and no event reports that to code that starts to read the
     * body afterwards.
     */
    @Test
    void aBodyWhoseConnectionEndedBeforeItWasReadTakesNothing() throws SQLException {
        try (var locking = server.sql().connect();
                var statement = locking.createStatement()) {
            locking.setAutoCommit(false);
            statement.execute("LOCK TABLE projects");
            connect().send(head("POST", LOGIN, LENGTH) + "x".repeat(1000)).close();
            var whole = connect().send(head("POST", LOGIN, 2) + "{}");
            Eventually.until(
                    "the guard waits",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                            + " AND wait_event_type = 'Lock'")
                            >= 1);
            locking.rollback();
            assertThat(whole.receive().status()).isEqualTo(422);
        }
        assertThat(connect().send(head("POST", LOGIN, 2) + "{}").receive().status())
                .isEqualTo(422);
        Eventually.until("nothing is held", () -> held() == 0);
    }

    @Test
    void aBodyInThousandsOfChunksIsAccepted() {
        var body = "{\"email\":\"ann@example.com\",\"password\":\"not the password\",\"fill\":\"" + "x".repeat(5000)
                + "\"}";
        var request = new StringBuilder(chunkedHead("POST", LOGIN));
        body.chars().forEach(c -> request.append(chunk(Character.toString(c))));
        var answer = connect().send(request.append("0\r\n\r\n").toString()).receive();
        assertThat(answer.status()).isEqualTo(401);
    }

    @Test
    void continueIsSentOnlyIfTheBodyIsWanted() {
        var expect = "Expect: 100-continue";
        assertThat(connect()
                        .send(head("PATCH", "/v1/auth/me", 2, expect))
                        .receive()
                        .status())
                .isEqualTo(401);
        var wanted = connect().send(head("POST", LOGIN, 2, expect));
        assertThat(wanted.receive().status()).isEqualTo(100);
        assertThat(wanted.send("{}").receive().status()).isEqualTo(422);
    }

    @Test
    void aRefusedRequestLeavesItsConnectionUsable() {
        var connection = connect().send(head("PATCH", "/v1/auth/me", LENGTH) + "x".repeat(LENGTH));
        assertThat(connection.receive().status()).isEqualTo(401);
        assertThat(connection
                        .send("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .receive()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aConnectionWhoseRefusedBodyDoesNotEndIsClosed() {
        giveUpAfterThreeSeconds();
        var connection = connect().send(head("PATCH", "/v1/auth/me", LENGTH));
        assertThat(connection.receive().status()).isEqualTo(401);
        assertThat(connection.isClosedByServer()).isTrue();
    }

    @Test
    void aCompressedBodyIsRefusedAndNotInflated() {
        var answer = connect()
                .send(head("POST", LOGIN, 4, "Content-Encoding: gzip") + "\u001f\u008b\b\u0000")
                .receive();
        assertThat(answer.status()).isEqualTo(415);
    }

    private double held() {
        return metric("vestibule_http_bodies_held_bytes");
    }

    private double metric(String name) {
        return server.metric(name);
    }
}
