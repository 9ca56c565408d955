package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class SignOutRaceIT {
    private static final int REFRESHES = 8;

    private static final int ROUNDS = 20;

    private final TestServer server;
    private final TestProject project;

    SignOutRaceIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void aSignOutDuringRefreshesLeavesNoActiveSession() {
        for (int round = 0; round < ROUNDS; round++) {
            signOutAmongRefreshes();
        }
    }

    private void signOutAmongRefreshes() {
        var signedUp = project.signUp();
        var answers = Parallel.send(
                REFRESHES,
                number -> number == REFRESHES / 2
                        ? project.signOut(signedUp.accessToken())
                        : project.refresh(signedUp.refreshToken()));

        assertThat(answers.get(REFRESHES / 2).status()).isEqualTo(200);
        assertThat(answers).extracting(Response::status).allMatch(status -> status == 200 || status == 401);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isZero();
        project.me(signedUp.accessToken()).expect(401);
        for (int i = 0; i < REFRESHES; i++) {
            if (i != REFRESHES / 2 && answers.get(i).status() == 200) {
                project.me(answers.get(i).accessToken()).expect(401);
                project.refresh(answers.get(i).refreshToken()).expect(401);
            }
        }
    }
}
