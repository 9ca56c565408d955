package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ParallelRefreshIT {
    private static final int ROUNDS = 100; // with threads that other classes delay in rare places
    private static final int AT_ONCE = 50;

    private final TestServer server;

    ParallelRefreshIT(TestServer server) {
        this.server = server;
    }

    @Test
    void parallelRefreshesOfOneTokenAllGetTheSameReplacement() {
        refreshOverAndOver(List.of(server.newProject()));
    }

    @Test
    void parallelRefreshesOfOneTokenOnTwoNodesAllGetTheSameReplacement() {
        try (var second = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var project = server.newProject();
            refreshOverAndOver(List.of(project, project.at(second)));
        }
    }

    private static void refreshOverAndOver(List<TestProject> nodes) {
        var token = nodes.get(0).signUp().refreshToken();
        for (int round = 0; round < ROUNDS; round++) {
            token = replaceInParallel(nodes, token);
        }
    }

    private static String replaceInParallel(List<TestProject> nodes, String token) {
        var answers = Parallel.send(
                AT_ONCE, number -> nodes.get(number % nodes.size()).refresh(token));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(answers.stream().map(Response::refreshToken).distinct())
                .singleElement()
                .isNotEqualTo(token);
        return answers.get(0).refreshToken();
    }
}
