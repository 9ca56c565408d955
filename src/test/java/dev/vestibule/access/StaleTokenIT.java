package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Apps send their access token with every request, however stale it is. */
@ExtendWith(WithServer.class)
class StaleTokenIT {
    private final TestServer server;
    private final TestProject project;

    StaleTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private List<String> stale() {
        var signedOut = project.signUp().accessToken();
        project.signOut(signedOut).expect(200);
        return List.of(signedOut, signedOut + "x", "undefined", "null", "a.b.c", "rt_stale", "x".repeat(4000));
    }

    private List<Call> callsThatNeedOnlyTheKey(String email) {
        var login = Map.of("email", email, "password", TestProject.PASSWORD);
        return List.of(
                project.post("/v1/auth/signin").json(login),
                project.post("/v1/auth/password/forgot").json(Map.of("email", email)),
                project.post("/v1/auth/resend-code").json(Map.of("email", email)),
                project.get("/v1/auth/branding"),
                project.get("/v1/auth/providers"));
    }

    @Test
    void aStaleTokenDoesNoHarmIfTheKeyIsEnough() {
        var email = TestServer.newEmail();
        project.signUp(email);
        for (var token : stale()) {
            callsThatNeedOnlyTheKey(email).forEach(call -> call.bearer(token).expect(200));
            project.post("/v1/auth/signup")
                    .bearer(token)
                    .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                    .expect(201);
            project.refresh(project.signIn(email).refreshToken()).bearer(token).expect(200);
            project.get("/v1/auth/oauth/poll?state=nonsense").bearer(token).expect(404);
            project.post("/v1/auth/oauth/callback")
                    .bearer(token)
                    .json(Map.of("provider", "google", "code", "x", "state", "y"))
                    .expect(401);
        }
    }

    @Test
    void aTokenOfAnotherProjectIsRefusedThereToo() {
        var email = TestServer.newEmail();
        project.signUp(email);
        var another = server.newProject().signUp().accessToken();

        callsThatNeedOnlyTheKey(email)
                .forEach(call -> assertThat(call.bearer(another).expect(403).text("message"))
                        .contains("different projects"));
    }
}
