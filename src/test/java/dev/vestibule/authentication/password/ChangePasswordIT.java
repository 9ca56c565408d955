package dev.vestibule.authentication.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ChangePasswordIT {
    private static final String NEW_PASSWORD = "a new password";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();

    ChangePasswordIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call change(String accessToken, String current, String wanted) {
        return server.api()
                .post("/v1/auth/password/change")
                .bearer(accessToken)
                .json(Map.of("currentPassword", current, "newPassword", wanted));
    }

    @Test
    void theNewPasswordWorksAndOnlyThisSessionStaysActive() {
        project.signUp(email);
        var here = project.signIn(email);
        var elsewhere = project.signIn(email);
        var bystander = project.signUp();

        assertThat(change(here.accessToken(), TestProject.PASSWORD, NEW_PASSWORD)
                        .expect(200)
                        .body())
                .isEqualTo("{\"success\":true}");

        project.me(here.accessToken()).expect(200);
        project.refresh(here.refreshToken()).expect(200);
        project.me(elsewhere.accessToken()).expect(401);
        project.refresh(elsewhere.refreshToken()).expect(401);
        project.me(bystander.accessToken()).expect(200);
        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        project.trySignIn(email, NEW_PASSWORD).expect(200);
    }

    @Test
    void aWrongPasswordChangesNothingAndCountsAsAFailedSignIn() {
        var session = project.signUp(email);
        for (int i = 0; i < 10; i++) {
            change(session.accessToken(), "not the password", NEW_PASSWORD).expect(401);
        }

        change(session.accessToken(), TestProject.PASSWORD, NEW_PASSWORD).expect(429);
        project.trySignIn(email, TestProject.PASSWORD).expect(429);
        project.me(session.accessToken()).expect(200);
    }

    /** Anyone who changes a password because another person knows it must not believe that this has helped. */
    @Test
    void aPasswordIsNotChangedToItself() {
        var token = project.signUp(email).accessToken();
        for (var current : List.of(TestProject.PASSWORD, "not the password")) { // which it does not tell apart
            assertThat(change(token, current, current).expect(422).text("message"))
                    .isEqualTo("newPassword must not be the current password");
        }
        project.signIn(email);
    }

    @Test
    void ofTwoConcurrentChangesOneWins() {
        var session = project.signUp(email);

        var answers = Parallel.send(
                2, number -> change(session.accessToken(), TestProject.PASSWORD, "new password " + number));

        assertThat(answers).extracting(Response::status).contains(200).isSubsetOf(200, 401, 503);
        var winners = answers.stream().filter(answer -> answer.status() == 200).count();
        assertThat(winners).isEqualTo(1);
    }

    @Test
    void withoutAPasswordTheErrorSaysHowToSetOne() {
        var session = project.signUp(email);
        server.sql().update("UPDATE users SET password_hash = NULL WHERE email = ?", email);

        assertThat(change(session.accessToken(), TestProject.PASSWORD, NEW_PASSWORD)
                        .expect(409)
                        .text("message"))
                .contains("password/forgot");
    }

    @Test
    void aUserWithoutAnEmailCannotHaveAPassword() {
        var session = project.signUp(email);
        server.sql().update("UPDATE users SET email = NULL WHERE email = ?", email);

        change(session.accessToken(), TestProject.PASSWORD, NEW_PASSWORD).expect(409);
    }

    @Test
    void everyFailingFieldIsNamedAtOnce() {
        var token = project.signUp(email).accessToken();

        assertThat(server.api()
                        .post("/v1/auth/password/change")
                        .bearer(token)
                        .json(Map.of())
                        .expect(422)
                        .failingFields())
                .containsExactly("currentPassword", "newPassword");
        assertThat(change(token, "", "short").expect(422).failingFields())
                .containsExactly("currentPassword", "newPassword");
        assertThat(change(token, TestProject.PASSWORD, email).expect(422).failingFields())
                .containsExactly("newPassword");
        assertThat(change(token, TestProject.PASSWORD, "\ud800 and more of it")
                        .expect(422)
                        .failingFields())
                .containsExactly("newPassword");
        server.api().post("/v1/auth/password/change").bearer(token).text("").expect(400);
    }

    @Test
    void onlyASignedInUserHasAccess() {
        var token = project.signUp(email).accessToken();
        var body = Map.of("currentPassword", TestProject.PASSWORD, "newPassword", NEW_PASSWORD);

        server.api().post("/v1/auth/password/change").json(body).expect(401);
        server.api()
                .post("/v1/auth/password/change")
                .key(project.secretKey())
                .json(body)
                .expect(401);
        server.api()
                .post("/v1/auth/password/change")
                .key(server.newProject().publishableKey())
                .bearer(token)
                .json(body)
                .expect(403);
        project.signOut(token).expect(200);
        change(token, TestProject.PASSWORD, NEW_PASSWORD).expect(401);
    }
}
