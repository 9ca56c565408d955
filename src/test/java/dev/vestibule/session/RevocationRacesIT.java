package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sign ins that evict sessions, concurrent with revocations of the same ones. */
@ExtendWith(WithServer.class)
class RevocationRacesIT {
    private static final int ROUNDS = 200;
    private static final int LIMIT = 2;

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String userSessions;

    RevocationRacesIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        server.change(project, "max_concurrent_sessions = " + LIMIT);
        this.userSessions = "/v1/dashboard/users/" + project.signUp(email).text("user/id") + "/sessions";
    }

    /** Four rounds of five calls run concurrently. */
    @Test
    void revocationsAndEvictionsNeverDeadlock() {
        var answers = new ArrayList<Response>();
        for (int round = 0; round < ROUNDS; round += 4) {
            var living = project.signIn(email);
            var session = project.refresh(living.refreshToken()).expect(200).text("sessionId");
            answers.addAll(Parallel.send(4 * 5, number -> call(number % 5, living, session)));
            assertThat(sessions()).isLessThanOrEqualTo(LIMIT);
        }
        assertThat(answers).extracting(Response::status).containsOnly(200, 401, 404);
        assertThat(project.manage("DELETE", userSessions).expect(200).text("revoked"))
                .isLessThanOrEqualTo("2");
        assertThat(sessions()).isZero();
    }

    /** The change of the name is counted in the same place as the ends of sessions. */
    @Test
    void concurrentUpdatesAndRevocationsDoNotDeadlock() {
        var user = userSessions.replace("/sessions", "");
        for (int round = 0; round < ROUNDS; round += 4) {
            var living = List.of(project.signIn(email), project.signIn(email));
            var ids = living.stream()
                    .map(tokens ->
                            project.refresh(tokens.refreshToken()).expect(200).text("sessionId"))
                    .toList();
            var fields = Map.of("displayName", "Name " + round, "password", TestProject.PASSWORD);
            var answers = Parallel.send(
                    3,
                    number -> number == 2
                            ? project.manage("PATCH", user).json(fields)
                            : project.manage("DELETE", "/v1/dashboard/sessions/" + ids.get(number)));
            assertThat(answers.get(2).status()).isEqualTo(200);
            assertThat(answers).extracting(Response::status).isSubsetOf(200, 404);
            assertThat(sessions()).isZero();
        }
    }

    private Call call(int number, Response living, String session) {
        return switch (number) {
            case 0 -> project.manage("DELETE", userSessions);
            case 1 -> project.manage("DELETE", "/v1/dashboard/sessions/" + session);
            case 2 -> project.refresh(living.refreshToken());
            default -> project.trySignIn(email, TestProject.PASSWORD);
        };
    }

    private long sessions() {
        return server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id());
    }
}
