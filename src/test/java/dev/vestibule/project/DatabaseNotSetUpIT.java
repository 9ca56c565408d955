package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.Server;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes whose settings lack a database, as in a restart that introduces it one node after another. */
@ExtendWith(WithServer.class)
class DatabaseNotSetUpIT {
    private final TestDatabase databases;
    private final String home;
    private final String eu;

    DatabaseNotSetUpIT(TestDatabase databases) {
        this.databases = databases;
        this.home = databases.createDatabase();
        this.eu = databases.createDatabase();
    }

    private TestServer start(Map<String, String> settings) {
        return TestServer.startOn(home, settings, Clock.tickMillis(ZoneOffset.UTC));
    }

    private static List<Call> requests(TestProject project, String accessToken, String refreshToken) {
        return List.of(
                project.post("/v1/auth/signup")
                        .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD)),
                project.me(accessToken),
                project.api().get("/v1/auth/me").bearer(accessToken),
                project.refresh(refreshToken),
                project.refreshAccessToken(refreshToken),
                project.asOwner("GET", ""),
                project.get("/v1/projects/" + project.id() + "/.well-known/jwks.json"),
                project.api()
                        .get("/v1/scim/" + project.id() + "/" + UUID.randomUUID() + "/Users")
                        .bearer("scim_" + "a".repeat(43)));
    }

    private void assertIsAway(Map<String, String> settings) {
        try (var knowing = start(
                        Map.of("VESTIBULE_DATABASE_SHARDS", "eu=" + eu, "VESTIBULE_DATABASE_NEW_PROJECTS", "eu"));
                var logged = new LoggedLines(Server.class)) {
            var project = knowing.newProject();
            var user = project.signUp();

            try (var lacking = start(settings)) {
                assertThat(logged.about("database.shards lacks")).isNotEmpty().allMatch(line -> line.endsWith(": eu"));
                for (int round = 0; round < 2; round++) {
                    assertThat(requests(project.at(lacking), user.accessToken(), user.refreshToken()))
                            .allSatisfy(request -> {
                                var refused = request.send();
                                assertThat(refused.status()).isEqualTo(503);
                                assertThat(refused.header("Retry-After")).isPresent();
                                assertThat(refused.body()).contains("not set up here");
                            });
                }
                lacking.api() // it would leave what they have opened there
                        .post("/v1/auth/password/change")
                        .bearer(project.owner())
                        .json(Map.of(
                                "currentPassword", "a dashboard password", "newPassword", "another dashboard password"))
                        .expect(503);
                assertThat(SeededTables.withRows(knowing.sql(), project.id()))
                        .containsExactly("memberships", "projects");
                lacking.newProject().signUp();
            }
            project.me(user.accessToken()).expect(200);
        }
    }

    @Test
    void itsProjectsAreAwayOnANodeWithOneDatabase() {
        assertIsAway(Map.of());
    }

    @Test
    void itsProjectsAreAwayOnANodeWithOthers() {
        assertIsAway(Map.of("VESTIBULE_DATABASE_SHARDS", "us=" + databases.createDatabase()));
    }
}
