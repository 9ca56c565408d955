package dev.vestibule.authentication.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The password hash changes after a sign in has read it and before it has opened its session. */
@ExtendWith(WithServer.class)
class SignInDuringPasswordChangeIT {
    private static final String WAITING = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE users%'
            """;

    private final TestServer server;
    private final TestProject project;

    SignInDuringPasswordChangeIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void theOldPasswordIsInvalidAfterTheChange() throws SQLException {
        project.signUp("ann@example.com");
        server.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", "other@example.com", "password", "another password"))
                .expect(201);
        var sessionsBefore = sessions();

        var answer = signInWhile("""
                UPDATE users SET password_hash = (
                    SELECT password_hash FROM users WHERE project_id = ?::uuid AND email = 'other@example.com')
                WHERE project_id = ?::uuid AND email = 'ann@example.com'
                """);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(sessions()).isEqualTo(sessionsBefore);
        project.trySignIn("ann@example.com", "another password").expect(200);
    }

    @Test
    void aHashRenewedForTheSamePasswordDoesNotRefuseIt() throws SQLException {
        project.signUp("ann@example.com");
        var sameProjectTwin = server.newProject();
        sameProjectTwin.signUp("ann@example.com");

        var answer = signInWhile("""
                UPDATE users SET password_hash = (
                    SELECT password_hash FROM users WHERE project_id <> ?::uuid AND project_id = '%s'::uuid)
                WHERE project_id = ?::uuid AND email = 'ann@example.com'
                """.formatted(sameProjectTwin.id()));

        assertThat(answer.status()).isEqualTo(200);
    }

    private Response signInWhile(String change) throws SQLException {
        try (var connection = server.sql().connect();
                var statement = connection.prepareStatement(change)) {
            connection.setAutoCommit(false);
            statement.setString(1, project.id());
            statement.setString(2, project.id());
            assertThat(statement.executeUpdate()).isEqualTo(1);
            var signIn =
                    project.trySignIn("ann@example.com", TestProject.PASSWORD).sendAsync();
            Eventually.until(
                    "the sign in waits for the account", () -> server.sql().count(WAITING) > 0);
            connection.commit();
            return signIn.join();
        }
    }

    private long sessions() {
        return server.sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id());
    }
}
