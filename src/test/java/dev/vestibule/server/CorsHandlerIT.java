package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cross-origin requests of browsers (Fetch Standard, 3.2). */
@ExtendWith(WithServer.class)
class CorsHandlerIT {
    private static final String ORIGIN = "https://app.example.com";

    private final TestServer server;
    private final TestProject project;

    CorsHandlerIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://app.example.com", "http://localhost:3000", "http://192.0.2.1:8080", "null"})
    void aPreflightIsAnsweredForAnyOriginWithoutAKey(String origin) {
        for (var path : List.of("/v1/auth/signup", "/v1/auth/me", "/v1/auth/branding")) {
            var answer = preflight(path, origin, "PATCH").expect(204);

            assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);
            assertThat(answer.header("Access-Control-Allow-Credentials")).contains("true");
            assertThat(words(answer, "Access-Control-Allow-Methods")).contains("get", "post", "put", "patch", "delete");
            assertThat(words(answer, "Access-Control-Allow-Headers"))
                    .contains("x-api-key", "authorization", "content-type", "if-none-match");
            assertThat(answer.header("Access-Control-Max-Age")).contains("7200");
            assertThat(answer.header("X-Request-Id")).isPresent();
            assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
        }
    }

    /**
     * The published SDK sends every request with credentials: 'include'; on other paths, a browser must not allow that.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/openapi.json",
                "/v1/projects/00000000-0000-7000-8000-000000000000/.well-known/jwks.json",
                "/v1/backend/users",
                "/v1/dashboard/auth/refresh",
                "/v1/dashboard/auth/login",
                "/v1/dashboard/projects",
                "/v1/dashboard/users",
                "/v1/auth/../dashboard/auth/refresh",
                "/v1/nowhere",
                "/v1/authors"
            })
    void onlyPathsOfApplicationsAllowCredentials(String path) {
        var any = ApiClient.undescribed(server.api().base());
        for (var origin : List.of(ORIGIN, "https://auth.example.com", "null")) {
            for (var answer : List.of(
                    preflight(path, origin, "POST").send(),
                    any.get(path).header("Origin", origin).send(),
                    any.get(path)
                            .key(project.secretKey())
                            .header("Origin", origin)
                            .send())) {
                assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);
                assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
            }
        }
    }

    @Test
    void theMetadataOfAnIssuerIsForAllOriginsWithoutCredentials() {
        var metadata = project.get("/v1/projects/" + project.id() + "/.well-known/openid-configuration")
                .header("Origin", ORIGIN)
                .expect(200);

        assertThat(metadata.header("Access-Control-Allow-Origin")).contains("*");
        assertThat(metadata.header("Access-Control-Allow-Credentials")).isEmpty();
    }

    /** Therefore allowing credentials reveals nothing. */
    @Test
    void whereCredentialsAreAllowedNoCookieIsSet() {
        var user = project.signUp();
        for (var call : List.of(
                project.get("/v1/auth/branding"),
                project.trySignIn(user.text("user/email"), TestProject.PASSWORD),
                project.refresh(user.refreshToken()),
                project.me(user.accessToken()),
                project.get("/v1/auth/hosted/url"))) {
            var answer = call.header("Origin", ORIGIN).send();

            assertThat(answer.header("Access-Control-Allow-Credentials")).contains("true");
            assertThat(answer.header("Set-Cookie")).isEmpty();
        }
    }

    private Call preflight(String path, String origin, String method) {
        return server.api()
                .call("OPTIONS", path)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", "authorization,content-type,x-api-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://app.example.com", "http://localhost:3000", "null"})
    void aResponseNamesTheRequestingOrigin(String origin) {
        var answer = project.get("/v1/auth/branding").header("Origin", origin).expect(200);

        assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);
        assertThat(answer.header("Access-Control-Allow-Credentials")).contains("true");
        assertThat(words(answer, "Vary")).contains("origin");
        assertThat(words(answer, "Access-Control-Expose-Headers"))
                .contains("etag", "retry-after", "x-request-id", "ratelimit", "ratelimit-policy");
    }

    /** Otherwise a cache could serve the response for one origin to another. */
    @Test
    void aCacheableResponseVariesByOrigin() {
        var keys = "/v1/projects/" + project.id() + "/.well-known/jwks.json";

        assertThat(words(server.api().get(keys).header("Origin", ORIGIN).expect(200), "Vary"))
                .contains("origin");
        assertThat(words(server.api().get(keys).expect(200), "Vary")).contains("origin");
    }

    @Test
    void aScriptCanReadErrorsToo() {
        readable(server.api().get("/v1/auth/branding").header("Origin", ORIGIN).expect(401));
        readable(server.api().get("/v1/nowhere").header("Origin", ORIGIN).expect(404));
        readable(server.api().get("/v1/auth/signup").header("Origin", ORIGIN).expect(405));
        readable(project.post("/v1/auth/signin")
                .text("{")
                .header("Origin", ORIGIN)
                .expect(400));
        readable(project.post("/v1/auth/signin")
                .text("{}")
                .header("Origin", ORIGIN)
                .expect(422));
        readable(project.post("/v1/auth/signin")
                .text("\"" + "x".repeat(70_000) + "\"")
                .header("Origin", ORIGIN)
                .expect(413));
    }

    private static void readable(Response answer) {
        assertThat(answer.header("Access-Control-Allow-Origin")).contains(ORIGIN);
        assertThat(words(answer, "Access-Control-Expose-Headers")).contains("x-request-id");
    }

    @Test
    void aRequestWithoutOriginGetsNoCorsHeaders() {
        assertThat(project.get("/v1/auth/branding").expect(200).header("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    /** Pages in apps and browser extensions have origins with their own schemes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "capacitor://localhost",
                "chrome-extension://abcdefghijklmnop",
                "nonsense",
                "https://",
                "https://a b",
                "https://example.com/path",
                "javascript:alert(1)"
            })
    void anOriginOfAnyFormIsAnswered(String origin) {
        var answer = project.get("/v1/auth/branding").header("Origin", origin).expect(200);

        assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);
    }

    private static List<String> words(Response answer, String header) {
        return Arrays.stream(answer.header(header)
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .split(","))
                .map(String::strip)
                .toList();
    }
}
