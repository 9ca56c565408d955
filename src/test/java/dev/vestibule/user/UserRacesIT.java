package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Management changes a user while the user signs in or changes too. */
@ExtendWith(WithServer.class)
class UserRacesIT {
    private static final int AT_ONCE = 10;
    private static final int ROUNDS = 20;

    private final TestServer server;
    private final TestProject project;

    UserRacesIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call manage(String method, Response signedUp, String below) {
        return project.manage(method, "/v1/dashboard/users/" + signedUp.text("user/id") + below);
    }

    private long rows(String table) {
        return server.sql().count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id());
    }

    /** Sends all calls at once; returns the responses of the others after the middle one has succeeded. */
    private static List<Response> sendWith(Call middle, IntFunction<Call> others) {
        var answers = Parallel.send(AT_ONCE, number -> number == AT_ONCE / 2 ? middle : others.apply(number));
        assertThat(answers.get(AT_ONCE / 2).status()).isEqualTo(200);
        return answers.stream()
                .filter(answer -> !answer.equals(answers.get(AT_ONCE / 2)))
                .toList();
    }

    private void assertNoneIsSignedIn(List<Response> answers) {
        answers.stream().filter(answer -> answer.status() == 200).forEach(answer -> {
            project.me(answer.accessToken()).expect(401);
            project.refresh(answer.refreshToken()).expect(401);
        });
        assertThat(rows("sessions")).isZero();
    }

    @Test
    void aBanDuringSignInsLeavesNoActiveSession() {
        for (int round = 0; round < ROUNDS; round++) {
            var email = TestServer.newEmail();
            var signedUp = project.signUp(email);

            var signIns = sendWith(
                    manage("PATCH", signedUp, "/ban"), number -> project.trySignIn(email, TestProject.PASSWORD));

            assertThat(signIns)
                    .extracting(Response::status)
                    .containsAnyOf(200, 403)
                    .isSubsetOf(200, 403);
            assertNoneIsSignedIn(signIns);
        }
    }

    @Test
    void aNewPasswordDuringSignInsWithTheOldOneLeavesNoActiveSession() {
        for (int round = 0; round < ROUNDS; round++) {
            var email = TestServer.newEmail();
            var signedUp = project.signUp(email);

            var signIns = sendWith(
                    manage("PATCH", signedUp, "").json(Map.of("password", "a new password")),
                    number -> project.trySignIn(email, TestProject.PASSWORD));

            assertThat(signIns).extracting(Response::status).isSubsetOf(200, 401);
            assertNoneIsSignedIn(signIns);
            project.trySignIn(email, "a new password").expect(200);
            manage("DELETE", signedUp, "").expect(200);
        }
    }

    @Test
    void aDeletionDuringRefreshesAndSignInsLeavesNothing() {
        for (int round = 0; round < ROUNDS; round++) {
            var email = TestServer.newEmail();
            var signedUp = project.signUp(email);

            var others = sendWith(
                    manage("DELETE", signedUp, ""),
                    number -> number % 2 == 0
                            ? project.refresh(signedUp.refreshToken())
                            : project.trySignIn(email, TestProject.PASSWORD));

            assertThat(others).extracting(Response::status).isSubsetOf(200, 401);
            assertNoneIsSignedIn(others);
            assertThat(rows("users")).isZero();
        }
    }

    @Test
    void oneOfTwoConcurrentChangesToOneEmailSucceeds() {
        var users = List.of(project.signUp(), project.signUp());
        for (int round = 0; round < ROUNDS; round++) {
            var email = TestServer.newEmail();

            var answers = Parallel.send(
                    2, number -> manage("PATCH", users.get(number), "").json(Map.of("email", email)));

            assertThat(answers).extracting(Response::status).containsExactlyInAnyOrder(200, 409);
        }
    }

    @Test
    void twoUsersWhoSwapTheirEmailsAreBothRefused() {
        var users = List.of(project.signUp(), project.signUp());
        for (int round = 0; round < ROUNDS; round++) {
            var answers = Parallel.send(
                    2,
                    number -> manage("PATCH", users.get(number), "")
                            .json(Map.of("email", users.get(1 - number).text("user/email"))));

            assertThat(answers).extracting(Response::status).containsOnly(409);
        }
    }
}
