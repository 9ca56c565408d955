package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What client libraries rely on in every response: a JSON body, and a message that they can show. */
@ExtendWith(WithServer.class)
class AnswersIT {
    private final TestServer server;
    private final TestProject project;

    AnswersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private static void expectMessage(Call call, String message) {
        var refused = call.expect(422);
        assertThat(refused.text("message")).isEqualTo(message);
        assertThat(refused.text("details/0/field") + " " + refused.text("details/0/message"))
                .isEqualTo(message);
    }

    @Test
    void theMessageOfA422IsItsFirstDetailInWords() {
        var user = project.signUp().accessToken();
        expectMessage(
                project.post("/v1/auth/signup").json(Map.of("email", "ann@example.com", "password", "short")),
                "password must have 8 to 128 characters");
        expectMessage(project.post("/v1/auth/signin").json(Map.of()), "email is required");
        expectMessage(
                server.api().patch("/v1/auth/me").bearer(user).json(Map.of("displayName", "")),
                "displayName must have 1 to 100 characters");
        expectMessage(project.get("/v1/auth/oauth/poll"), "state is required");
        expectMessage(project.post("/v1/auth/password/forgot").json(Map.of("email", 1)), "email must be a string");
        expectMessage(
                project.manage("GET", "/v1/dashboard/users?limit=0"), "limit must be a whole number from 1 to 100");
        expectMessage(
                project.asOwner("PATCH", "/branding").json(Map.of("darkBg", "red", "lightBg", "#fff")),
                "darkBg must be a colour such as #4f46e5 or #fff");
        expectMessage(
                project.asOwner("PATCH", "").json(Map.of("sessionConfig", Map.of("accessTokenTtl", 1))),
                "sessionConfig.accessTokenTtl must be a whole number from 60 to 86400");
    }

    /**
     * Clients parse the body of every response to a GET, POST or PATCH; tests check each response against the
     * description.
     */
    @Test
    void everySuccessOfTheDescriptionHasABody() {
        var paths = server.api().get("/v1/openapi.json").expect(200).json().path("paths");
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (List.of("get", "post", "patch", "put", "delete").contains(operation.getKey())) {
                        var responses = operation.getValue().path("responses");
                        assertThat(responses.has("204"))
                                .as(operation.getKey() + " " + path.getKey())
                                .isEqualTo(operation.getKey().equals("delete")
                                        && (path.getKey().endsWith("/oauth/register/{clientId}") // RFC 7592, 2.3
                                                || path.getKey().startsWith("/v1/scim/"))); // RFC 7644, 3.6
                    }
                }));
        assertThat(paths.size()).isGreaterThan(50);
    }

    @Test
    void anEmptyJsonBodyIsFineIfNoneIsNeeded() {
        var user = project.signUp().accessToken();

        assertThat(server.api()
                        .post("/v1/auth/signout")
                        .key(project.publishableKey())
                        .bearer(user)
                        .text("")
                        .expect(200)
                        .json())
                .hasToString("{\"success\":true}");
    }
}
