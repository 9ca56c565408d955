package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the router itself refuses; the test client checks the error body in every test. */
@ExtendWith(WithServer.class)
class UnknownPathIT {
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final TestServer server;

    UnknownPathIT(TestServer server) {
        this.server = server;
    }

    @Test
    void aTargetThatIsNotAPathIsRefusedWithoutAnErrorInTheLog() {
        try (var log = new LoggedLines(RoutingContext.class);
                var connection = RawConnection.to(server.api().base())) {
            connection.send("GET odd-target HTTP/1.1\r\nHost: a\r\nX-Request-Id: odd-target\r\n\r\n");
            assertThat(connection.receive().answer()).startsWith("HTTP/1.1 404").contains("\"statusCode\":404");
            assertThat(log.of("odd-target")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/",
                "/v2/auth/signup",
                "/auth/signup",
                "/v1/auth",
                "/v1/auth/unknown",
                "/v1/auth/me/more",
                "/V1/AUTH/ME",
                "/v1/auth%2Fme",
                "/v1/projects",
                "/v1/projects/x/.well-known",
                "/metrics",
                "/health/ready",
                "/favicon.ico",
                "/v1/%2e%2e/%2e%2e/etc/passwd"
            })
    void anUnknownPathIsNotFound(String path) {
        for (var method : List.of("GET", "POST", "DELETE")) {
            assertThat(server.api()
                            .call(method, path)
                            .expect(404)
                            .json()
                            .path("error")
                            .asText())
                    .isEqualTo("Not Found");
        }
    }

    @Test
    void anUndescribedMethodIsRefusedAndTheAllowedOnesAreNamed() {
        for (var path : Description.get().root().path("paths").properties()) {
            var described = methods(path.getValue());
            for (var method : METHODS) {
                if (!described.contains(method)) {
                    var answer = server.api()
                            .call(method, path.getKey().replaceAll("\\{[^}]+}", "x"))
                            .expect(405);
                    assertThat(Arrays.asList(answer.header("Allow").orElse("").split(", ")))
                            .as("Allow of %s %s", method, path.getKey())
                            .containsExactlyInAnyOrderElementsOf(described);
                }
            }
        }
    }

    /** A path that answers GET also answers HEAD (RFC 9110, 9.3.2). */
    private static Set<String> methods(JsonNode path) {
        var methods = new TreeSet<String>();
        path.properties().forEach(operation -> methods.add(operation.getKey().toUpperCase(Locale.ROOT)));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return methods;
    }

    @Test
    void headAnswersLikeGetWithoutABody() {
        var project = server.newProject();
        var get = project.get("/v1/auth/branding").expect(200);
        var head = server.api()
                .call("HEAD", "/v1/auth/branding")
                .key(project.publishableKey())
                .expect(200);

        assertThat(head.body()).isEmpty();
        assertThat(head.header("Content-Type")).isEqualTo(get.header("Content-Type"));
        assertThat(server.api().call("HEAD", "/v1/auth/branding").expect(401).body())
                .isEmpty();
    }

    @Test
    void onlyBrowsersAreLedFromTheRootToTheConsole() {
        var browser = ApiClient.undescribed(server.api().base())
                .get("/")
                .header("Accept", "text/html,*/*;q=0.8")
                .expect(302);
        assertThat(browser.header("Location")).contains("console/");
        server.api().get("/").expect(404);
        server.api().get("/").header("Accept", "application/json").expect(404);
        server.api().get("/").header("Accept", "*/*").expect(404);
    }
}
