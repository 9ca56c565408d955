package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ParallelSignUpIT {
    private static final int AT_ONCE = 50;

    private final TestServer server;

    ParallelSignUpIT(TestServer server) {
        this.server = server;
    }

    @RepeatedTest(5)
    void ofConcurrentSignUpsWithOneEmailOneSucceedsAndTheOthersAreConflicts() {
        var project = server.newProject();
        var answers = Parallel.send(
                AT_ONCE,
                number -> server.api()
                        .post("/v1/auth/signup")
                        .key(project.publishableKey())
                        .json(Map.of(
                                "email",
                                number % 2 == 0 ? "ann@example.com" : "ANN@Example.com",
                                "password",
                                TestProject.PASSWORD)));

        assertThat(answers.stream().map(Response::status).filter(status -> status == 201))
                .hasSize(1);
        assertThat(answers.stream().map(Response::status).filter(status -> status == 409))
                .hasSize(AT_ONCE - 1);
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
        assertThat(server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }
}
