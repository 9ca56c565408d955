package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.RawExchange;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that never becomes a request still gets the usual error body. */
@ExtendWith(WithServer.class)
class InvalidRequestHandlerIT {
    private final TestServer server;

    InvalidRequestHandlerIT(TestServer server) {
        this.server = server;
    }

    private RawExchange send(String request) {
        return RawExchange.send(server.api().base(), request);
    }

    @Test
    void headersThatAreTooLongAreRefused() {
        refused(
                send("GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(10_000) + "\r\n\r\n"),
                431,
                "Request Header Fields Too Large");
        refused(
                send("GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + "x".repeat(20_000)
                        + "\r\n\r\n"),
                431,
                "Request Header Fields Too Large");
    }

    @Test
    void aRequestLineThatIsTooLongIsRefused() {
        refused(
                send("GET /v1/auth/me?q=" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                414,
                "URI Too Long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n",
                "GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\nBad\u0001Name: x\r\n\r\n",
                "POST /v1/auth/signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/auth/signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"
            })
    void aRequestThatIsNotHttpIsABadRequest(String request) {
        refused(send(request), 400, "Bad Request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/%", "/v1/auth/%zz", "/v1/projects/%ff%fe/.well-known/jwks.json"})
    void aPathThatCannotBeDecodedIsAClientError(String path) {
        var answer = send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer.status()).isIn(400, 404);
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(answer.status());
    }

    /** Which may have a code or a token in it, so it is in no log either. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/projects/%s/oauth/authorize?id_token_hint=%s&state=",
                "/v1/projects/%s/oauth/logout?id_token_hint=%s&state=",
                "/v1/dashboard/projects/%s/members?token=%s&x="
            })
    void aQueryThatCannotBeDecodedIsAClientError(String target) {
        var secret = UUID.randomUUID().toString();
        var path = target.formatted(UUID.randomUUID(), secret);
        try (var log = new LoggedLines(RoutingContext.class)) {
            for (var escape : List.of("%", "%zz", "%%%")) {
                var answer = send("GET " + path + escape + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

                refused(answer, 400, "Bad Request");
                assertThat(answer.json().path("code").asText()).isEqualTo("bad_request");
            }
            assertThat(log.text()).doesNotContain(secret);
        }
    }

    @Test
    void anUnknownExpectationIsAClientError() {
        var answer = send("POST /v1/auth/signin HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}");

        assertThat(answer.status()).isBetween(400, 499);
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(answer.status());
    }

    /** Not even as an overlong NUL, or as a surrogate on its own. */
    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00c3", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f8\u0088\u0080\u0080\u0080"})
    void bytesThatAreNoUtf8BecomeNoText(String bytes) {
        var body = "{\"email\":\"" + bytes + "@example.com\",\"password\":\"some password\"}";
        var answer = send("POST /v1/dashboard/auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body);

        assertThat(answer.status()).isIn(400, 422);
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(answer.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS *", "GET *", "GET v1/auth/me"})
    void aRequestThatNoRouterSeesHasAnIdToo(String start) {
        var answer = send(start + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer.status()).isBetween(400, 499);
        assertThat(answer.header("X-Request-Id")).isPresent();
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(answer.status());
    }

    private static void refused(RawExchange answer, int status, String error) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).contains("application/json");
        assertThat(answer.header("Connection")).contains("close");
        assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.header("X-Request-Id")).isPresent();
        assertThat(answer.json().fieldNames()).toIterable().containsExactly("statusCode", "error", "message", "code");
        assertThat(answer.json().path("statusCode").asInt()).isEqualTo(status);
        assertThat(answer.json().path("error").asText()).isEqualTo(error);
    }
}
