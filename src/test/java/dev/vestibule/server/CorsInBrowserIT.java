package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real browser lets the page of an application read; skipped if there is no browser. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CorsInBrowserIT {
    /** As the published SDK sends it; 0 where the browser keeps the response from the page. */
    private static final String ASK = """
            ([url, method, credentials, headers, body]) =>
              fetch(url, {method, credentials, headers: {'Content-Type': 'application/json', ...headers}, body})
                .then(answer => answer.json().then(() => answer.status), () => 0)""";

    private final TestServer server;
    private final Chromium chromium;
    private HttpServer app;
    private Page page;

    CorsInBrowserIT(Chromium chromium, TestServer server) {
        this.chromium = chromium;
        this.server = server;
    }

    @BeforeAll
    void start() throws IOException {
        app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            var html = "<!DOCTYPE html><title>App</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, html.length);
            exchange.getResponseBody().write(html);
            exchange.close();
        });
        app.start();
        page = chromium.newPage();
        page.navigate(origin());
    }

    @AfterAll
    void stop() {
        app.stop(0);
    }

    private String origin() {
        return "http://localhost:" + app.getAddress().getPort();
    }

    private int ask(
            String method, String path, String credentials, Map<String, String> headers, @Nullable String body) {
        var url = server.api().base() + path;
        return (Integer) page.evaluate(ASK, Arrays.asList(url, method, credentials, headers, body));
    }

    private int signUp(TestProject project) {
        return ask(
                "POST",
                "/v1/auth/signup",
                "include",
                Map.of("x-api-key", project.publishableKey()),
                "{\"email\":\"" + TestServer.newEmail() + "\",\"password\":\"" + TestProject.PASSWORD + "\"}");
    }

    @Test
    void thePublishedSdkSendsCredentialsAndReadsTheAnswer() {
        var anyOrigin = server.newProject();
        var listed = server.newProject();
        listed.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(origin())))
                .expect(200);
        for (var project : List.of(anyOrigin, listed)) {
            assertThat(signUp(project)).isEqualTo(201);
            assertThat(ask("GET", "/v1/auth/branding", "include", Map.of("x-api-key", project.publishableKey()), null))
                    .isEqualTo(200);
        }
        assertThat(ask("GET", "/v1/auth/branding", "include", Map.of("x-api-key", "pk_live_x"), null))
                .isEqualTo(401);
    }

    @Test
    void aPageThatIsNotOnTheListReadsTheRefusalOnlyWithoutCredentials() {
        var elsewhere = server.newProject();
        elsewhere
                .asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of("https://app.example.com")))
                .expect(200);
        var key = Map.of("x-api-key", elsewhere.publishableKey());

        assertThat(signUp(elsewhere)).isZero();
        assertThat(ask("GET", "/v1/auth/branding", "omit", key, null)).isEqualTo(403);
    }

    @Test
    void onOtherPathsNoResponseToCredentialsIsReadable() {
        for (var path : List.of("/v1/openapi.json", "/v1/dashboard/auth/registration", "/v1/backend/users")) {
            assertThat(ask("GET", path, "include", Map.of(), null)).as(path).isZero();
            assertThat(ask("GET", path, "omit", Map.of(), null)).as(path).isPositive();
        }
        assertThat(ask("POST", "/v1/dashboard/auth/refresh", "include", Map.of(), "{}"))
                .isZero();
    }
}
