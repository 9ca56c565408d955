package dev.vestibule.user.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every operation that sets a password refuses those that attackers try first. */
@ExtendWith(WithServer.class)
class CommonPasswordIT {
    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    CommonPasswordIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
        this.project = server.newProject(server.newDashboardUser(), "Analytical Engines");
    }

    private static void assertRefused(ApiClient.Call call, String field) {
        var answer = call.expect(422);
        assertThat(answer.failingFields()).containsExactly(field);
        assertThat(answer.text("message")).isEqualTo(field + " is one of the most common passwords; choose another");
    }

    @Test
    void noSignUpAcceptsACommonPassword() {
        for (var password : new String[] {"password", "12345678", "Password123", "ｐａｓｓｗｏｒｄ"}) {
            assertRefused(
                    project.post("/v1/auth/signup").json(Map.of("email", TestServer.newEmail(), "password", password)),
                    "password");
        }
    }

    @Test
    void noSignUpAcceptsTheNameOfTheUserOrOfTheProject() {
        for (var password : new String[] {"adalovelace1815", "Countess Ada", "analytical engines 2026"}) {
            var answer = project.post("/v1/auth/signup")
                    .json(Map.of(
                            "email", "ada.lovelace@example.com", "displayName", "Countess Ada", "password", password))
                    .expect(422);
            assertThat(answer.text("message"))
                    .isEqualTo("password must not be the email, the display name or the project's name");
        }
    }

    @Test
    void noResetAcceptsOne() {
        assertRefused(
                project.post("/v1/auth/password/reset")
                        .json(Map.of("email", TestServer.newEmail(), "code", "0123456789ABC", "password", "password")),
                "password");
    }

    @Test
    void noChangeAcceptsOne() {
        var user = project.signUp();
        assertRefused(
                project.post("/v1/auth/password/change")
                        .bearer(user.accessToken())
                        .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "password")),
                "newPassword");
    }

    @Test
    void noDashboardUserRegistersWithOne() {
        assertRefused(
                server.api()
                        .post("/v1/dashboard/auth/register")
                        .json(Map.of("email", TestServer.newEmail(), "password", "12345678")),
                "password");
        assertThat(server.api()
                        .post("/v1/dashboard/auth/register")
                        .json(Map.of("email", TestServer.newEmail(), "password", "Vestibule1!"))
                        .expect(422)
                        .text("message"))
                .contains("project's name");
    }

    @Test
    void theSecretKeyCannotSetOne() {
        var user = project.signUp().text("user/id");
        assertRefused(
                project.manage("PATCH", "/v1/dashboard/users/" + user).json(Map.of("password", "iloveyou")),
                "password");
        assertRefused(
                project.manage("POST", "/v1/dashboard/users")
                        .json(Map.of("email", TestServer.newEmail(), "password", "iloveyou")),
                "password");
    }

    @Test
    void noServerStartsWithADashboardAccountThatHasOne() {
        var settings = Map.of(
                "VESTIBULE_DASHBOARD_EMAIL", "admin@example.com",
                "VESTIBULE_DASHBOARD_PASSWORD", "password123");
        assertThatThrownBy(() -> TestServer.start(database, settings))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("dashboard.password is one of the most common passwords")
                .hasMessageNotContaining("password123");
    }

    /** An import names the line; the user can be imported without a password, or with a hash. */
    @Test
    void anImportRefusesTheLine() {
        var email = TestServer.newEmail();
        var answer = project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", "{\"email\":\"" + email + "\",\"password\":\"password\"}\n")
                .expect(200);
        assertThat(answer.body())
                .contains("\"status\":\"failed\"")
                .contains("is one of the most common passwords; choose another");
    }

    /** An account from before the list keeps working until its password is changed. */
    @Test
    void anExistingCommonPasswordStillSignsIn() {
        var email = TestServer.newEmail();
        project.signUp(email);
        server.sql()
                .update(
                        "UPDATE users SET password_hash = ? WHERE email = ?",
                        "$2b$04$PxSVrSIzua5N1NclxBCcQOT.JopRXC2kgsgJyjuBcRpwISd9bS.R2",
                        email);
        project.trySignIn(email, "password").expect(200);
    }
}
