package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dashboard user who forgot the password, or has not verified the email, needs only the dashboard's paths. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardPasswordIT {
    private static final String PASSWORD = "a dashboard password";

    private final WithMail mail;
    private final TestServer server;

    DashboardPasswordIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private Call auth(String path, Object fields) {
        return server.api().post("/v1/dashboard/auth/" + path).json(fields);
    }

    /** After the mail with its first code. */
    private Response register(String email) {
        var registered =
                auth("register", Map.of("email", email, "password", PASSWORD)).expect(201);
        mail.mailbox().await(email, 1);
        return registered;
    }

    private Call login(String email, String password) {
        return auth("login", Map.of("email", email, "password", password));
    }

    @Test
    void aForgottenPasswordIsReplacedByAMailedCode() {
        var email = TestServer.newEmail();
        var registered = register(email);

        assertThat(auth("password/forgot", Map.of("email", email)).expect(200).body())
                .isEqualTo(auth("password/forgot", Map.of("email", TestServer.newEmail()))
                        .expect(200)
                        .body());
        var code = mail.mailbox().awaitCode(email, 2);
        var reset = Map.of("email", email, "code", code, "password", "another password");
        auth("password/reset", reset).expect(200);

        auth("password/reset", reset).expect(401);
        login(email, PASSWORD).expect(401);
        login(email, "another password").expect(200);
        server.api()
                .get("/v1/dashboard/projects")
                .bearer(registered.accessToken())
                .expect(401);
    }

    @Test
    void aResetRemovesTheLockOfFailedLogins() {
        var email = TestServer.newEmail();
        register(email);
        for (int i = 0; i < 10; i++) {
            login(email, "not the password").expect(401);
        }

        auth("password/forgot", Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCode(email, 2);
        auth("password/reset", Map.of("email", email, "code", code, "password", "another password"))
                .expect(200);

        login(email, "another password").expect(200);
    }

    @Test
    void theCodeOfAnApplicationsUserCannotResetADashboardUser() {
        var email = TestServer.newEmail();
        register(email);
        var project = server.newProject();
        project.signUp(email);
        mail.mailbox().await(email, 2);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCode(email, 3);

        // Also for a client that names the project, to no effect
        auth(
                        "password/reset",
                        Map.of("projectId", project.id(), "email", email, "code", code, "password", "another password"))
                .expect(401);

        login(email, PASSWORD).expect(200);
    }

    @Test
    void aChangedPasswordEndsAllOtherSessions() {
        var email = TestServer.newEmail();
        var other = register(email);
        var own = login(email, PASSWORD).expect(200);
        var change = Map.of("currentPassword", PASSWORD, "newPassword", "another password");

        auth("password/change", change).expect(401);
        auth("password/change", Map.of("currentPassword", "wrong password", "newPassword", "another password"))
                .bearer(own.accessToken())
                .expect(401);
        auth("password/change", change).bearer(own.accessToken()).expect(200);

        server.api().get("/v1/auth/me").bearer(own.accessToken()).expect(200);
        server.api().get("/v1/auth/me").bearer(other.accessToken()).expect(401);
        login(email, "another password").expect(200);
    }

    @Test
    void aUserOfAnApplicationCannotChangeAPasswordHere() {
        var user = server.newProject().signUp();

        auth("password/change", Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another password"))
                .bearer(user.accessToken())
                .expect(403);
    }

    @Test
    void aMailedCodeVerifiesTheEmailAndOpensASessionLikeALogin() {
        var email = TestServer.newEmail();
        register(email);
        mail.passAMinute();

        auth("resend-code", Map.of("email", email)).expect(200);
        var code = mail.mailbox().awaitCode(email, 2);
        var verified =
                auth("verify-email", Map.of("email", email, "code", code)).expect(200);

        assertThat(verified.text("user/emailVerified")).isEqualTo("true");
        assertThat(verified.json().path("expiresIn").asInt()).isEqualTo(900);
        server.api()
                .get("/v1/dashboard/projects")
                .bearer(verified.accessToken())
                .expect(200);
        server.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", verified.text("user/projectId"), "refreshToken", verified.refreshToken()))
                .expect(200);
    }

    @Test
    void aPageOfAnotherOriginCanUseNoneOfThem() {
        var email = TestServer.newEmail();
        register(email);
        for (var path :
                List.of("password/forgot", "password/reset", "password/change", "verify-email", "resend-code")) {
            auth(path, Map.of("email", email))
                    .header("Origin", "https://evil.example")
                    .expect(403);
        }
        assertThat(mail.mailbox().to(email)).hasSize(1);
    }

    @Test
    void everyFailingFieldIsNamed() {
        assertThat(auth("password/forgot", Map.of("email", "a\u0000@example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("email");
        assertThat(auth("password/reset", Map.of("email", 1, "code", List.of(), "password", "password"))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("email", "code", "password");
        auth("password/reset", "no object").expect(400);
    }
}
