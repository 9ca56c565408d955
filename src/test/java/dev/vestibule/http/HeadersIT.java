package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers of every response, whether a success or an error. */
@ExtendWith(WithServer.class)
class HeadersIT {
    private final TestServer server;
    private final TestProject project;

    HeadersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** One response of each kind. */
    private List<Response> answers() {
        return List.of(
                project.signUp(),
                project.get("/v1/auth/branding").expect(200),
                server.api().get("/v1/openapi.json").expect(200),
                project.post("/v1/auth/signin").text("{").expect(400),
                server.api().get("/v1/auth/me").expect(401),
                server.api()
                        .get("/v1/dashboard/projects")
                        .key(project.publishableKey())
                        .expect(403),
                server.api().get("/v1/nowhere").expect(404),
                server.api().get("/v1/auth/signup").expect(405),
                project.post("/v1/auth/signin").text("x".repeat(65_537)).expect(413),
                project.post("/v1/auth/signin").text("{}").expect(422));
    }

    @Test
    void noResponseCanBeSniffedOrFramed() {
        for (var answer : answers()) {
            assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.header("X-Frame-Options")).contains("DENY");
            assertThat(answer.header("Referrer-Policy")).contains("no-referrer");
            assertThat(answer.header("Content-Security-Policy").orElse("")).contains("default-src 'none'");
        }
    }

    @Test
    void everyResponseHasItsOwnRequestId() {
        var ids = answers().stream()
                .map(answer -> answer.header("X-Request-Id").orElseThrow())
                .collect(Collectors.toSet());

        assertThat(ids).hasSize(answers().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "4bf92f3577b34da6a3ce929d0e0e4736",
                "trace-1.2_3",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void aHarmlessRequestIdIsKept(String id) {
        assertThat(project.get("/v1/auth/branding")
                        .header("X-Request-Id", id)
                        .expect(200)
                        .header("X-Request-Id"))
                .contains(id);
        assertThat(server.api()
                        .get("/v1/nowhere")
                        .header("X-Request-Id", id)
                        .expect(404)
                        .header("X-Request-Id"))
                .contains(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "two words",
                "<script>",
                "a;b",
                "%0d%0aSet-Cookie:x",
                "${jndi:ldap://evil.example}",
                "01234567890123456789012345678901234567890123456789012345678901234"
            })
    void aHarmfulRequestIdIsReplaced(String id) {
        assertThat(project.get("/v1/auth/branding")
                        .header("X-Request-Id", id)
                        .expect(200)
                        .header("X-Request-Id"))
                .isPresent()
                .get()
                .asString()
                .isNotEqualTo(id)
                .matches("[0-9a-f-]{36}");
    }

    @Test
    void responsesWithTokensOrUsersAreNotCacheable() {
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        var answers = List.of(
                signedUp,
                project.signIn(email),
                project.refresh(signedUp.refreshToken()).expect(200),
                server.api()
                        .post("/v1/auth/refresh")
                        .json(Map.of("refreshToken", project.signUpInVariantB().refreshToken()))
                        .expect(200),
                project.me(signedUp.accessToken()).expect(200),
                server.api()
                        .get("/v1/auth/token/verify")
                        .bearer(signedUp.accessToken())
                        .expect(200),
                server.api().get("/v1/auth/me").expect(401),
                server.api()
                        .post("/v1/dashboard/projects")
                        .bearer(server.newDashboardUser())
                        .json(Map.of("name", "A project"))
                        .expect(201));

        assertThat(answers)
                .extracting(answer -> answer.header("Cache-Control").orElse(""))
                .containsOnly("no-store");
    }

    @Test
    void noResponseRevealsTheServerSoftware() {
        for (var answer : answers()) {
            for (var name : Set.of("Server", "X-Powered-By", "Set-Cookie", "Via")) {
                assertThat(answer.header(name)).isEmpty();
            }
        }
    }
}
