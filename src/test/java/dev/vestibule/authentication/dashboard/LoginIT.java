package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class LoginIT {
    private static final String PASSWORD = "a dashboard password";

    private final TestServer server;

    LoginIT(TestServer server) {
        this.server = server;
    }

    private Call login(Object fields) {
        return server.api().post("/v1/dashboard/auth/login").json(fields);
    }

    private String newAccount() {
        var email = TestServer.newEmail();
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", PASSWORD))
                .expect(201);
        return email;
    }

    @Test
    void aLoginReturnsTokensForTheDashboard() {
        var email = newAccount();

        var answer =
                login(Map.of("email", " " + email + " ", "password", PASSWORD)).expect(200);

        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactly("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(900);
        assertThat(answer.json().at("/user/signInCount").asInt()).isEqualTo(1);
        server.api().get("/v1/dashboard/projects").bearer(answer.accessToken()).expect(200);
    }

    @Test
    void aWrongPasswordAndAnUnknownEmailGetTheSameResponse() {
        var wrong = login(Map.of("email", newAccount(), "password", "not the password"))
                .expect(401);
        var unknown = login(Map.of("email", TestServer.newEmail(), "password", "not the password"))
                .expect(401);

        assertThat(wrong.body()).isEqualTo(unknown.body());
    }

    @Test
    void dashboardUsersCanOnlySignInAtTheDashboard() {
        server.api()
                .post("/v1/auth/signin")
                .json(Map.of(
                        "projectId",
                        "00000000-0000-7000-8000-000000000000",
                        "email",
                        TestServer.newEmail(),
                        "password",
                        "some password"))
                .expect(403);
    }

    @Test
    void aUserOfAnotherProjectCannotLogIn() {
        var email = server.newProject().signUp().text("user/email");

        login(Map.of("email", email, "password", TestProject.PASSWORD)).expect(401);
    }

    @Test
    void onlyTheRightPasswordReportsABan() {
        var email = newAccount();
        server.sql().update("UPDATE users SET is_banned = true WHERE email = ?", email);

        login(Map.of("email", email, "password", PASSWORD)).expect(403);
        login(Map.of("email", email, "password", "not the password")).expect(401);
    }

    @Test
    void everyFailingFieldIsNamedAtOnce() {
        assertThat(login(Map.of()).expect(422).failingFields()).containsExactlyInAnyOrder("email", "password");
        assertThat(login(Map.of("email", 1, "password", "")).expect(422).failingFields())
                .containsExactlyInAnyOrder("email", "password");
    }
}
