package dev.vestibule;

import static dev.vestibule.fixture.RawConnection.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestProject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationIT {
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(60); // thirty, and a busy machine

    private final JarCommand command;

    TerminationIT(@TempDir Path folder) {
        command = JarCommand.withDatabaseIn(folder);
    }

    /** Uses a request with a slow body, which is in flight for as long as the test wants. */
    @Test
    void onSigtermTheServerIsNotReadyFinishesRequestsInFlightAndEnds() {
        var body = "{\"email\":\"ann@example.com\",\"password\":\"" + TestProject.PASSWORD + "\"}";
        try (var server = command.start()) {
            var project = server.firstProject();
            var management = ApiClient.undescribed(server.managementUrl());
            management.get("/health/ready").expect(200);
            try (var inFlight = RawConnection.to(server.api().base())) {
                inFlight.send(head("POST", "/v1/auth/signup", body.length(), "x-api-key: " + project.publishableKey()))
                        .send(body.substring(0, 10));
                Eventually.until(
                        "its body is being read",
                        () -> management.get("/metrics").expect(200).body().contains("http_bodies_held_bytes 10.0"));

                server.terminate();
                Eventually.until(
                        "it says that it stops",
                        () -> management.get("/health/ready").send().status() == 503);

                assertThat(inFlight.send(body.substring(10)).receive().status()).isEqualTo(201);
            }
            assertThat(server.awaitExit(SHUTDOWN_LIMIT)).isIn(0, 143);
        }
    }
}
