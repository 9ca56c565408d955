package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class HashingQueueIT {
    private static final Map<String, String> SLOW = Map.of(
            "VESTIBULE_PASSWORDS_QUEUE", "1",
            "VESTIBULE_PASSWORDS_THREADS", "1",
            "VESTIBULE_PASSWORDS_MEMORY", "65536",
            "VESTIBULE_PASSWORDS_ITERATIONS", "4");

    private final TestDatabase database;

    HashingQueueIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void signInsBeyondTheQueueAreRefusedWhileSessionsContinue() {
        var verySlow = new HashMap<>(SLOW);
        verySlow.put("VESTIBULE_PASSWORDS_ITERATIONS", "16"); // time for more than three rounds on a busy machine
        try (var server = TestServer.start(database, verySlow)) {
            var project = server.newProject();
            var signedUp = project.signUpInVariantB("ann@example.com");
            var signIns = Parallel.start(20, number -> project.trySignIn("ann@example.com", TestProject.PASSWORD));

            var rounds = 0;
            while (signIns.stream().anyMatch(signIn -> !signIn.isDone())) {
                project.verify(signedUp.accessToken()).expect(200);
                project.me(signedUp.accessToken()).expect(200);
                project.refreshAccessToken(signedUp.refreshToken()).expect(200);
                rounds++;
            }
            assertThat(rounds)
                    .as("rounds of requests while one password was hashed")
                    .isGreaterThan(3);
            var answers = Parallel.await(signIns);
            assertThat(answers).extracting(Response::status).contains(200, 503).containsOnly(200, 503);
            assertThat(answers.stream().filter(answer -> answer.status() == 503))
                    .allSatisfy(answer -> {
                        assertThat(answer.header("Retry-After")).hasValue("1");
                        assertThat(answer.text("error")).isEqualTo("Service Unavailable");
                        assertThat(answer.text("statusCode")).isEqualTo("503");
                    });
        }
    }

    @Test
    void aProjectThatFillsTheQueueDoesNotBlockTheSignInsOfOthers() {
        var settings = new HashMap<>(SLOW);
        settings.put("VESTIBULE_PASSWORDS_QUEUE", "4");
        try (var server = TestServer.start(database, settings)) {
            var stormy = server.newProject();
            stormy.signUp("ann@example.com");
            var other = server.newProject();
            other.signUp("bob@example.com");

            var storm = Parallel.start(20, number -> stormy.trySignIn("ann@example.com", TestProject.PASSWORD));
            Eventually.until(
                    "the queue is full",
                    () -> storm.stream()
                            .anyMatch(signIn -> signIn.isDone() && signIn.join().status() == 503));
            other.signIn("bob@example.com");

            var answers = Parallel.await(storm);
            assertThat(answers).extracting(Response::status).contains(200, 503).containsOnly(200, 503);
        }
    }
}
