package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class ParallelSignInIT {
    private static final int AT_ONCE = 20;

    private final TestServer server;

    ParallelSignInIT(TestServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 1, 2})
    void parallelSignInsNeverLeaveMoreSessionsThanTheProjectAllows(int limit) {
        var project = server.newProject();
        server.change(project, "max_concurrent_sessions = " + limit);
        signInOverAndOver(project, project, limit);
    }

    @Test
    void parallelSignInsOnTwoNodesNeverLeaveMoreSessionsThanTheProjectAllows() {
        try (var second = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var project = server.newProject();
            server.change(project, "max_concurrent_sessions = 2");
            signInOverAndOver(project, project.at(second), 2);
        }
    }

    private void signInOverAndOver(TestProject one, TestProject other, int limit) {
        var email = TestServer.newEmail();
        one.signUp(email);
        for (int round = 1; round <= 5; round++) {
            var answers = Parallel.start(
                    AT_ONCE, number -> (number % 2 == 0 ? one : other).trySignIn(email, TestProject.PASSWORD));
            while (answers.stream().anyMatch(answer -> !answer.isDone())) {
                assertThat(sessions(one)).isLessThanOrEqualTo(limit);
            }
            assertThat(Parallel.await(answers)).extracting(Response::status).containsOnly(200);
            assertThat(sessions(one)).isEqualTo(limit);
            assertThat(server.sql().count("SELECT sign_in_count FROM users WHERE project_id = ?::uuid", one.id()))
                    .isEqualTo((long) round * AT_ONCE);
        }
    }

    private long sessions(TestProject project) {
        return server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id());
    }
}
