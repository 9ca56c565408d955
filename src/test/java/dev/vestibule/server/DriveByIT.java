package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.RawExchange;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page that an operator happens to visit can make the browser send to the dashboard. */
@ExtendWith(WithServer.class)
class DriveByIT {
    private static final String REGISTER = "/v1/dashboard/auth/register";
    private static final String ACCOUNT = "{\"email\":\"mallory@example.com\",\"password\":\"a dashboard password\"}";
    private static final String CONSOLE = "https://console.example.com";

    private static final String SYSTEM = "00000000-0000-7000-8000-000000000000";

    private final TestDatabase database;
    private final TestServer server;

    DriveByIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
    }

    /** A server after its first start, without any configuration. */
    private TestServer freshServer() {
        return TestServer.start(
                database, Map.of("VESTIBULE_DASHBOARD_REGISTRATION", "first", "VESTIBULE_PUBLIC_URL", ""));
    }

    private static long accounts(TestServer server) {
        return server.sql().count("SELECT count(*) FROM users");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://localhost:3000", "http://127.0.0.1", "null", "nonsense"})
    void aPageElsewhereCannotClaimAFreshServer(String origin) {
        try (var fresh = freshServer()) {
            for (var contentType : new String[] {"text/plain", "application/json"}) {
                var answer = fresh.api()
                        .post(REGISTER)
                        .raw(contentType, ACCOUNT)
                        .header("Origin", origin)
                        .expect(403);

                assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
            }
            assertThat(accounts(fresh)).isZero();
        }
    }

    /** Its name now resolves to this machine, so the browser considers it the same origin as the server. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example"})
    void aPageWhoseNameWasReboundToThisMachineCannotClaimAFreshServer(String name) {
        try (var fresh = freshServer()) {
            var host = name + ":" + fresh.api().base().getPort();

            assertThat(registerAs(fresh, host, "Origin: http://" + host + "\r\n")
                            .status())
                    .isEqualTo(403);
            assertThat(registerAs(fresh, host, "").status()).isEqualTo(403);
            assertThat(accounts(fresh)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "vestibule.localhost", "[::1]"})
    void aPageOfAFreshServerItselfIsAnswered(String name) {
        try (var fresh = freshServer()) {
            var host = name + ":" + fresh.api().base().getPort();
            var answer = registerAs(fresh, host, "Origin: http://" + host + "\r\n");

            assertThat(answer.status()).as(answer.answer()).isEqualTo(201);
            assertThat(answer.header("Access-Control-Allow-Origin")).contains("http://" + host);
        }
    }

    private static RawExchange registerAs(TestServer fresh, String host, String headers) {
        return RawExchange.send(
                fresh.api().base(),
                "POST " + REGISTER + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n" + headers
                        + "Content-Length: " + ACCOUNT.length() + "\r\nConnection: close\r\n\r\n" + ACCOUNT);
    }

    /** With publicUrl, the request's own host has no effect. */
    @Test
    void theHostOfARequestIsNotTrustedIfThePublicUrlIsSet() {
        var host = "localhost:" + server.api().base().getPort();

        assertThat(registerAs(server, host, "Origin: http://" + host + "\r\n").status())
                .isEqualTo(403);
        assertThat(registerAs(server, host, "Origin: http://auth.example.com\r\n")
                        .status())
                .isEqualTo(403);
        assertThat(registerAs(server, "evil.example", "Origin: http://evil.example\r\n")
                        .status())
                .isEqualTo(403);
    }

    /** Calls for users of the built-in project, on the paths that all projects have. */
    private static List<Call> publicCallsForDashboardUsers(TestServer server) {
        var email = TestServer.newEmail();
        var tokens = server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(201);
        var bearer = tokens.accessToken();
        var project = SYSTEM;
        return List.of(
                server.api()
                        .post("/v1/auth/token/refresh")
                        .json(Map.of("projectId", project, "refreshToken", tokens.refreshToken())),
                server.api().post("/v1/auth/password/forgot").json(Map.of("projectId", project, "email", email)),
                server.api().post("/v1/auth/resend-code").json(Map.of("projectId", project, "email", email)),
                server.api().get("/v1/auth/me").bearer(bearer),
                server.api().get("/v1/auth/token/verify").bearer(bearer),
                server.api().get("/v1/auth/mfa/status").bearer(bearer),
                server.api().call("PATCH", "/v1/auth/me").bearer(bearer).json(Map.of("displayName", "Ann")),
                server.api()
                        .post("/v1/auth/reauthenticate")
                        .bearer(bearer)
                        .json(Map.of("password", TestProject.PASSWORD)),
                server.api().post("/v1/auth/signout").bearer(bearer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://auth.example.com", "https://console.example.com", "null"})
    void aPageElsewhereReachesNoDashboardUserByPublicPathsEither(String origin) {
        for (var call : publicCallsForDashboardUsers(server)) {
            var answer = call.header("Origin", origin).expect(403);

            assertThat(answer.text("message")).contains("dashboard.allowedOrigins");
            assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
        }
    }

    @Test
    void pagesOfTheServerItselfAndAllowedOnesReachDashboardUsersByPublicPaths() {
        try (var allowing = TestServer.start(database, Map.of("VESTIBULE_DASHBOARD_ALLOWED_ORIGINS", CONSOLE))) {
            for (var origin : List.of("https://auth.example.com", CONSOLE)) {
                for (var call : publicCallsForDashboardUsers(allowing)) {
                    call.header("Origin", origin).expect(200);
                }
            }
        }
        for (var call : publicCallsForDashboardUsers(server)) {
            call.expect(200);
        }
    }

    @Test
    void aPageElsewhereReadsOnlyTheRefusalWhateverCredentialsItHas() {
        var project = server.newProject();
        var refusals = new HashSet<String>();
        for (var call : new Call[] {
            project.asOwner("GET", ""),
            project.asOwner("POST", "/keys").json(Map.of("kind", "secret")),
            project.manage("GET", "/v1/dashboard/users"),
            project.manage("DELETE", "/v1/dashboard/sessions/x"),
            server.api().get("/v1/dashboard/webhooks?projectId=" + project.id()).bearer(project.owner()),
            server.api()
                    .post("/v1/dashboard/auth/login")
                    .json(Map.of("email", "a@example.com", "password", TestProject.PASSWORD)),
        }) {
            var answer = call.header("Origin", "https://evil.example").expect(403);

            assertThat(answer.header("Access-Control-Allow-Origin")).hasValue("https://evil.example");
            assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
            assertThat(answer.header("Vary").orElseThrow()).contains("Origin");
            assertThat(answer.text("message")).contains("dashboard.allowedOrigins");
            refusals.add(answer.body());
        }
        assertThat(refusals).as("the text tells nothing of what the page holds").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/dashboard/projects",
                "/v1/dashboard/nowhere",
                "/v1/dashboard",
                "/v1//dashboard/projects",
                "/v1/auth/../dashboard/projects",
                "/v1/%64ashboard/projects"
            })
    void aPreflightFromElsewherePassesOnlySoThatTheRefusalIsReadable(String path) {
        var head = path + " HTTP/1.1\r\nHost: auth.example.com\r\nOrigin: https://evil.example\r\n";
        var preflight = RawExchange.send(
                server.api().base(),
                "OPTIONS " + head + "Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n");
        var request = RawExchange.send(
                server.api().base(), "POST " + head + "Content-Length: 0\r\nConnection: close\r\n\r\n");

        assertThat(preflight.status()).isEqualTo(204);
        assertThat(request.status()).isEqualTo(403);
        assertThat(request.header("Access-Control-Allow-Origin")).hasValue("https://evil.example");
        assertThat(request.header("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void theServersOwnOriginAndTheConfiguredOnesAreAnswered() {
        var settings =
                Map.of("VESTIBULE_DASHBOARD_ALLOWED_ORIGINS", "HTTPS://Console.Example.com:443,http://[::1]:3000");
        try (var configured = TestServer.start(database, settings)) {
            for (var origin : new String[] {CONSOLE, "http://[::1]:3000", "https://auth.example.com"}) {
                var answer = configured
                        .api()
                        .post(REGISTER)
                        .header("Origin", origin)
                        .json(Map.of("email", TestServer.newEmail(), "password", "a dashboard password"))
                        .expect(201);
                assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);

                var preflight = configured
                        .api()
                        .call("OPTIONS", "/v1/dashboard/projects")
                        .header("Origin", origin)
                        .header("Access-Control-Request-Method", "POST")
                        .expect(204);
                assertThat(preflight.header("Access-Control-Allow-Origin")).contains(origin);
            }
            configured
                    .api()
                    .get("/v1/dashboard/projects")
                    .header("Origin", "https://console.example.com.evil.example")
                    .expect(403);
        }
    }
}
