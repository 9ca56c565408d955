package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Triggers maintain the totals: they are exact nevertheless, and maintaining them blocks nobody. */
@ExtendWith(WithServer.class)
class CountsIT {
    private static final int SIGN_UPS = 200;
    private static final int DELETIONS = 40;

    private static final String DELETE_SOME = """
            DELETE FROM users WHERE project_id = ?::uuid AND id IN (
                SELECT id FROM users WHERE project_id = ?::uuid ORDER BY random() LIMIT 3 FOR UPDATE SKIP LOCKED)
            """;

    private static final String INSERT = """
            INSERT INTO users (project_id, id, email, created_at, updated_at)
            VALUES (?::uuid, gen_random_uuid(), 'open@x.example', now(), now())
            """;

    private final TestServer server;
    private final TestProject project;

    CountsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call signUp() {
        return project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD));
    }

    private long total(String query) {
        return project.manage("GET", "/v1/dashboard/users" + query)
                .expect(200)
                .json()
                .path("total")
                .asLong();
    }

    private long userCount() {
        return server.api()
                .get("/v1/dashboard/projects")
                .bearer(project.owner())
                .expect(200)
                .json()
                .at("/projects/0/userCount")
                .asLong();
    }

    @Test
    void totalsAreExactAfterAStormOfSignUpsAndDeletions() {
        var signUps = Parallel.start(SIGN_UPS, number -> signUp());
        var deleted = IntStream.range(0, DELETIONS)
                .parallel()
                .map(number -> {
                    total("?search=example"); // caches some totals in the middle of it
                    return server.sql().update(DELETE_SOME, project.id(), project.id());
                })
                .sum();
        assertThat(Parallel.await(signUps)).extracting(Response::status).containsOnly(201);

        var users = server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id());
        assertThat(users).isEqualTo(SIGN_UPS - deleted);
        assertThat(total("")).isEqualTo(users);
        assertThat(userCount()).isEqualTo(users);
        assertThat(total("?search=example")).isEqualTo(users);
    }

    @Test
    void aSignUpDoesNotWaitForAnotherInProgress() throws SQLException {
        try (var open = server.sql().connect();
                var insert = open.prepareStatement(INSERT)) {
            open.setAutoCommit(false);
            insert.setString(1, project.id());
            insert.executeUpdate();
            // several, since the one connection in 32 that counts in the same row would have to wait
            var signUps = Parallel.start(8, number -> signUp());

            CompletableFuture.anyOf(signUps.toArray(CompletableFuture[]::new))
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();

            assertThat(total("")).isBetween(1L, 8L);
            open.rollback();
            Parallel.await(signUps);
        }
        assertThat(total("")).isEqualTo(8);
    }
}
