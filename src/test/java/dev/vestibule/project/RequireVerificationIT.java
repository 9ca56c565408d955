package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One setting could lock out all users of a project; nobody sets it without knowing how many. */
@ExtendWith(WithServer.class)
class RequireVerificationIT {
    private final TestServer server;
    private final TestProject project;

    RequireVerificationIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response require(int status, Map<String, ?> more) {
        var fields = new HashMap<String, Object>(more);
        fields.put("requireEmailVerification", true);
        return project.asOwner("PATCH", "").json(fields).expect(status);
    }

    private String isRequired() {
        return project.asOwner("GET", "").expect(200).text("requireEmailVerification");
    }

    @Test
    void itIsSetAtOnceIfItLocksNobodyOut() {
        var verified = project.signUp().text("user/id");
        server.sql().update("UPDATE users SET email_verified = true WHERE id = ?::uuid", verified);
        var withoutPassword = project.signUp().text("user/id");
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", withoutPassword);
        server.newProject().signUp();

        assertThat(require(200, Map.of()).text("project/requireEmailVerification"))
                .isEqualTo("true");
    }

    @Test
    void itSaysHowManyUsersItWouldLockOutAndRequiresAConfirmation() {
        project.signUp();
        assertThat(require(422, Map.of()).text("message"))
                .isEqualTo("confirm must be true: 1 user has not verified the email, and could not sign in with the"
                        + " password before that");
        project.signUp();
        var refused = require(422, Map.of("name", "Other", "confirm", false));
        assertThat(refused.failingFields()).containsExactly("confirm");
        assertThat(refused.text("message")).contains("2 users have");
        assertThat(isRequired()).isEqualTo("false");
        assertThat(project.asOwner("GET", "").expect(200).text("name")).isNotEqualTo("Other");

        require(200, Map.of("confirm", true));
        assertThat(isRequired()).isEqualTo("true");
    }

    @Test
    void itNeedsNoConfirmationIfItIsAlreadySet() {
        project.signUp();
        require(200, Map.of("confirm", true));

        require(200, Map.of("name", "Other"));
        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", false))
                .expect(200);
    }

    @Test
    void invalidConfirmationsAreRefused() {
        for (var odd : new Object[] {1, "true", new int[] {}, Map.of()}) {
            assertThat(require(422, Map.of("confirm", odd)).failingFields()).containsExactly("confirm");
        }
    }

    @Test
    void usersAreCountedUpToALimit() {
        server.sql()
                .update(
                        "INSERT INTO users (project_id, id, email, password_hash, created_at, updated_at)"
                                + " SELECT ?::uuid, gen_random_uuid(), n || '@example.com', 'x', now(), now()"
                                + " FROM generate_series(1, 10001) AS n",
                        project.id());

        assertThat(require(422, Map.of()).text("message")).contains("more than 10,000 users have");
    }

    /** A user who signs up meanwhile is mailed a code; no sign up fails or waits for the setting. */
    @Test
    void signUpsContinueWhileItIsSet() {
        project.signUp();
        var answers = Parallel.send(
                20,
                number -> number == 10
                        ? project.asOwner("PATCH", "").json(Map.of("requireEmailVerification", true, "confirm", true))
                        : project.post("/v1/auth/signup")
                                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD)));

        assertThat(answers).extracting(Response::status).containsOnly(200, 201);
        assertThat(isRequired()).isEqualTo("true");
    }
}
