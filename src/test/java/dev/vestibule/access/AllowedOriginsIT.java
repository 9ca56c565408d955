package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The web origins that a project allows. */
@ExtendWith(WithServer.class)
class AllowedOriginsIT {
    private static final String ALLOWED = "https://app.example.com";

    private final TestServer server;
    private final TestProject project;

    AllowedOriginsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        server.change(project, "allowed_origins = '{" + ALLOWED + ",http://localhost:3000}'");
    }

    @ParameterizedTest
    @ValueSource(strings = {ALLOWED, "http://localhost:3000"})
    void anOriginOnTheListPasses(String origin) {
        var answer = project.get("/v1/auth/branding").header("Origin", origin).expect(200);

        assertThat(answer.header("Access-Control-Allow-Origin")).contains(origin);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "http://app.example.com",
                "https://app.example.com:444",
                "https://app.example.com.evil.example",
                "https://sub.app.example.com",
                "https://APP.example.com.",
                "http://localhost:3001",
                "null"
            })
    void aPageOfAnyOtherOriginReadsOnlyWhyItIsRefused(String origin) {
        var answer = project.get("/v1/auth/branding").header("Origin", origin).expect(403);

        assertThat(answer.header("Access-Control-Allow-Origin")).hasValue(origin);
        assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
        assertThat(answer.text("message")).isEqualTo("This origin is not in the project's allowedOrigins.");
    }

    @Test
    void aPageOfAnotherOriginCanNeitherSignUpNorUseAToken() {
        var signedUp = project.signUp();
        var signUp = Map.of("projectId", project.id(), "email", TestServer.newEmail(), "password", "some password");

        refused(project.post("/v1/auth/signup").json(signUp));
        refused(server.api().post("/v1/auth/signup").json(signUp));
        refused(project.me(signedUp.accessToken()));
        refused(project.refresh(signedUp.refreshToken()));
        refused(server.api().post("/v1/auth/refresh").json(Map.of("refreshToken", signedUp.refreshToken())));
        refused(server.api().post("/v1/auth/signout").bearer(signedUp.accessToken()));

        project.me(signedUp.accessToken()).expect(200);
        project.refresh(signedUp.refreshToken()).expect(200);
    }

    private static void refused(Call call) {
        var answer = call.header("Origin", "https://evil.example").expect(403);
        assertThat(answer.text("message")).isEqualTo("This origin is not in the project's allowedOrigins.");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void theSecretKeyIsNotBoundToTheList() {
        server.api()
                .get("/v1/auth/branding")
                .key(project.secretKey())
                .header("Origin", "https://evil.example")
                .expect(200);
    }

    @Test
    void aRequestWithoutAnOriginPasses() {
        project.get("/v1/auth/branding").expect(200);
    }
}
