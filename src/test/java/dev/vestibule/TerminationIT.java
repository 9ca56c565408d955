package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestProject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationIT {
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(60); // thirty, and a busy machine

    private final JarCommand command;

    TerminationIT(@TempDir Path folder) {
        command = JarCommand.in(folder);
    }

    @Test
    void onSigtermItIsNoLongerReadyAndAnswersWhatIsInFlightAndEnds() {
        TestProject project;
        try (var server = command.start()) {
            project = server.firstProject();
        }
        var slow = command.with("VESTIBULE_PASSWORDS_MEMORY", "262144").with("VESTIBULE_PASSWORDS_ITERATIONS", "8");
        try (var server = slow.start()) {
            var management = ApiClient.undescribed(server.managementUrl());
            management.get("/health/ready").expect(200);
            var inFlight = server.api()
                    .post("/v1/auth/signup")
                    .key(project.publishableKey())
                    .json(Map.of("email", "ann@example.com", "password", TestProject.PASSWORD))
                    .sendAsync();
            Eventually.until(
                    "the sign up is being hashed",
                    () -> management.get("/metrics").expect(200).body().contains("vestibule_hashing_active 1.0"));

            server.terminate();
            Eventually.until(
                    "it says that it stops",
                    () -> management.get("/health/ready").send().status() == 503);
            assertThat(inFlight.join().status()).isEqualTo(201);
            assertThat(server.awaitExit(SHUTDOWN_LIMIT)).isIn(0, 143);
        }
    }
}
