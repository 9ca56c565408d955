package dev.vestibule.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class SignUpIT {
    private final TestServer server;

    SignUpIT(TestServer server) {
        this.server = server;
    }

    @Test
    void aSignUpAnswersTokensAndTheFullUser() {
        var answer = server.newProject().signUp("ann@example.com");

        assertThat(answer.json().at("/user/email").asText()).isEqualTo("ann@example.com");
        assertThat(answer.json().at("/expiresIn").asInt()).isEqualTo(900);
    }

    @Test
    void aTakenEmailIsAConflict() {
        var project = server.newProject();
        project.signUp("ann@example.com");

        server.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", " ANN@example.com ", "password", "another password"))
                .expect(409);
    }
}
