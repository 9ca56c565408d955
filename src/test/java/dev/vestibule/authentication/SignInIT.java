package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class SignInIT {
    private final TestServer server;
    private final TestProject project;

    SignInIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void aSignInReturnsTokensAndTheFullUser() {
        var signedUp = project.signUp("ann@example.com");

        var answer = project.signIn("ann@example.com");

        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactly("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(answer.text("user/id")).isEqualTo(signedUp.text("user/id"));
        assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(900);
    }

    @Test
    void theReturnedUserIncludesThisSignIn() {
        project.signUp("ann@example.com");

        var first = project.signIn("ann@example.com");
        var second = project.signIn("ann@example.com");

        assertThat(first.json().at("/user/signInCount").asInt()).isEqualTo(1);
        assertThat(second.json().at("/user/signInCount").asInt()).isEqualTo(2);
        assertThat(second.text("user/lastSignInAt")).isGreaterThanOrEqualTo(first.text("user/lastSignInAt"));
        assertThat(project.me(second.accessToken()).expect(200).json())
                .isEqualTo(second.json().path("user"));
    }

    @Test
    void variantBReturnsTheFullUserAndALifetimeOfAnHour() {
        project.signUp("ann@example.com");

        var answer = server.api()
                .post("/v1/auth/signin")
                .json(Map.of("projectId", project.id(), "email", "ann@example.com", "password", TestProject.PASSWORD))
                .expect(200);

        assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(3600);
        assertThat(answer.json().path("user").size()).isEqualTo(14);
    }

    @Test
    void aProjectsOwnTokenLifetimeAppliesInBothVariants() {
        server.change(project, "access_token_ttl_seconds = 86400");
        project.signUp("ann@example.com");

        assertThat(project.signIn("ann@example.com").json().path("expiresIn").asInt())
                .isEqualTo(86400);
        assertThat(project.post("/v1/auth/signin")
                        .json(Map.of(
                                "projectId",
                                project.id(),
                                "email",
                                "ann@example.com",
                                "password",
                                TestProject.PASSWORD))
                        .expect(200)
                        .json()
                        .path("expiresIn")
                        .asInt())
                .isEqualTo(86400);
    }

    @Test
    void theEmailIsFoundInAnyCaseAndWithSpaces() {
        project.signUp("ann@example.com");

        project.signIn("  ANN@Example.Com ");
    }

    @Test
    void aWrongPasswordAndAnUnknownEmailGetTheSameResponse() {
        project.signUp("ann@example.com");

        var wrong = project.trySignIn("ann@example.com", "not her password").expect(401);
        var unknown = project.trySignIn("bob@example.com", "not her password").expect(401);

        assertThat(wrong.body()).isEqualTo(unknown.body());
        assertThat(wrong.header("WWW-Authenticate")).isEqualTo(unknown.header("WWW-Authenticate"));
    }

    @Test
    void aPresentedPasswordIsOnlyCheckedForItsLength() {
        project.signUp("ann@example.com");

        project.trySignIn("ann@example.com", "short").expect(401);
        project.trySignIn("ann@example.com", "x".repeat(1024)).expect(401);
        assertThat(project.trySignIn("ann@example.com", "x".repeat(1025))
                        .expect(422)
                        .failingFields())
                .containsExactly("password");
        assertThat(project.trySignIn("ann@example.com", "").expect(422).failingFields())
                .containsExactly("password");
    }

    @Test
    void usersOfAnotherProjectAreUnknown() {
        server.newProject().signUp("ann@example.com");

        project.trySignIn("ann@example.com", TestProject.PASSWORD).expect(401);
    }

    @Test
    void everyFailingFieldIsNamedAtOnce() {
        assertThat(project.post("/v1/auth/signin").text("{}").expect(422).failingFields())
                .containsExactlyInAnyOrder("email", "password");
        assertThat(project.post("/v1/auth/signin")
                        .text("{\"email\":\"a\\u0000@example.com\",\"password\":[]}")
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("email", "password");
    }

    @Test
    void onlyTheRightPasswordReportsABan() {
        server.ban(project.signUp("ann@example.com").text("user/id"));

        project.trySignIn("ann@example.com", TestProject.PASSWORD).expect(403);
        project.trySignIn("ann@example.com", "not her password").expect(401);
    }
}
