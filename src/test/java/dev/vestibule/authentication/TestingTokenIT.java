package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens for the automatic tests of an application. */
@ExtendWith(WithServer.class)
class TestingTokenIT {
    private static final String PATH = "/v1/auth/testing/token";

    private final TestServer server;
    private final TestProject project;

    TestingTokenIT(TestServer server) {
        this.server = server;
        this.project = newProject(server);
    }

    private static TestProject newProject(TestServer server) {
        return TestProject.create(
                server.api(), server.newDashboardUser(), Map.of("name", "Tests", "environment", "test"));
    }

    private Call ask(String email) {
        return project.post(PATH).json(Map.of("email", email));
    }

    @Test
    void aTestProjectsKeySignsInWithoutAPassword() {
        assertThat(project.publishableKey()).startsWith("pk_test_");
        var email = TestServer.newEmail();
        var first = project.post(PATH)
                .json(Map.of("email", email.toUpperCase(Locale.ROOT), "nickname", "Tester"))
                .expect(200);

        assertThat(first.json().fieldNames()).toIterable().contains("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(first.text("user/email")).isEqualTo(email);
        assertThat(first.text("user/displayName")).isEqualTo("Tester");
        assertThat(first.text("user/emailVerified")).isEqualTo("false");
        project.me(first.accessToken()).expect(200);
        project.refresh(first.refreshToken()).expect(200);

        var second = project.post(PATH)
                .json(Map.of("email", email, "nickname", "Another"))
                .expect(200);
        assertThat(second.text("user/id")).isEqualTo(first.text("user/id"));
        assertThat(second.text("user/displayName")).isEqualTo("Tester");
    }

    @Test
    void anExistingUserIsSignedIn() {
        var signedUp = project.signUp();

        assertThat(ask(signedUp.text("user/email")).expect(200).text("user/id")).isEqualTo(signedUp.text("user/id"));
        project.me(signedUp.accessToken()).expect(200);
    }

    @Test
    void aLiveProjectHasNoTestingTokensWhateverTheKey() {
        var live = server.newProject();
        var user = live.signUp().text("user/email");
        var body = Map.of("email", user);

        live.post(PATH).json(body).expect(403);
        live.manage("POST", PATH).json(body).expect(403);
        server.api().post(PATH).bearer(live.secretKey()).json(body).expect(403);
        live.post(PATH).json(Map.of("email", user, "projectId", project.id())).expect(403);
        project.post(PATH).bearer(live.secretKey()).json(body).expect(403);
        server.api()
                .post(PATH)
                .key(live.publishableKey().replace("pk_live_", "pk_test_"))
                .json(body)
                .expect(401);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", live.id()))
                .isEqualTo(1);
    }

    @Test
    void aKeyIsNeeded() {
        var body = Map.of("email", TestServer.newEmail(), "projectId", project.id());

        server.api().post(PATH).json(body).expect(401);
        server.api()
                .post(PATH)
                .bearer(project.signUp().accessToken())
                .json(body)
                .expect(401);
    }

    @Test
    void theBodyIsChecked() {
        assertThat(project.post(PATH).json(Map.of()).expect(422).text("message"))
                .isEqualTo("email is required");
        for (var odd : List.<Object>of("nobody", "", 1, "a\u0000@example.com")) {
            assertThat(project.post(PATH).json(Map.of("email", odd)).expect(422).failingFields())
                    .containsExactly("email");
        }
        assertThat(project.post(PATH)
                        .json(Map.of("email", TestServer.newEmail(), "nickname", " "))
                        .expect(422)
                        .failingFields())
                .containsExactly("nickname");
        project.post(PATH).text("[]").expect(400);
    }

    @Test
    void aBannedUserStaysOut() {
        var signedUp = project.signUp();
        server.ban(signedUp.text("user/id"));

        ask(signedUp.text("user/email")).expect(403);
    }

    @Test
    void concurrentFirstSignInsGetTheSameUser() {
        var email = TestServer.newEmail();

        assertThat(Parallel.send(8, number -> ask(email)))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200))
                .extracting(answer -> answer.text("user/id"))
                .containsOnly(ask(email).expect(200).text("user/id"));
    }

    @Test
    void itHasTheRateLimitOfSignUp(TestDatabase database) {
        try (var limited = TestServer.start(database, Map.of("VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", "3"))) {
            var tests = newProject(limited);
            var answers =
                    Parallel.send(6, number -> tests.post(PATH).json(Map.of("email", number + TestServer.newEmail())));

            assertThat(answers).extracting(Response::status).contains(200, 429);
        }
    }
}
