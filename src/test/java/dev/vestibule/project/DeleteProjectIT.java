package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class DeleteProjectIT {
    private final TestServer server;
    private final TestProject project;

    DeleteProjectIT(TestServer server) {
        this.server = server;
        this.project = server.newProject(server.newDashboardUser(), "Deleted " + UUID.randomUUID());
    }

    private void delete() {
        assertThat(project.asOwner("DELETE", "").expect(200).body()).isEqualTo("{\"success\":true}");
    }

    private List<String> tablesWithRows() {
        return SeededTables.withRows(server.sql(), project.id());
    }

    @Test
    void aDeletedProjectIsUnknownAtOnce() {
        var viewer = server.newMember(project, "viewer");
        var signedUp = project.signUp();
        var inVariantB = project.signUpInVariantB();
        project.me(signedUp.accessToken()).expect(200);
        delete();

        nothingKnows(project, signedUp, inVariantB);
        project.asOwner("GET", "").expect(404);
        project.asOwner("DELETE", "").expect(404);
        project.asOwner("GET", "/keys").expect(404);
        project.as(viewer, "GET", "/members").expect(404);
        for (var member : List.of(project.owner(), viewer)) {
            assertThat(server.api()
                            .get("/v1/dashboard/projects")
                            .bearer(member)
                            .expect(200)
                            .body())
                    .isEqualTo("{\"projects\":[],\"total\":0,\"isAdministrator\":false}");
        }
    }

    @Test
    void otherNodesKnowTheDeletionWithinASecond() {
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(other);
            var signedUp = there.signUp();
            var inVariantB = there.signUpInVariantB();
            there.me(signedUp.accessToken()).expect(200);
            delete();
            var deleted = System.nanoTime();
            for (var asked = deleted;
                    there.me(signedUp.accessToken()).send().status() != 401;
                    asked = System.nanoTime()) {
                assertThat(Duration.ofNanos(asked - deleted))
                        .as("what is asked later is refused")
                        .isLessThan(Duration.ofSeconds(1));
            }
            nothingKnows(there, signedUp, inVariantB);
        }
    }

    private static void nothingKnows(TestProject project, Response inVariantA, Response inVariantB) {
        var accessToken = inVariantA.accessToken();
        project.get("/v1/auth/branding").expect(401);
        project.trySignIn(TestServer.newEmail(), TestProject.PASSWORD).expect(401);
        project.me(accessToken).expect(401);
        project.verify(accessToken).expect(401);
        project.signOut(accessToken).expect(401);
        project.refresh(inVariantA.refreshToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
        var api = project.api();
        api.get("/v1/auth/branding").key(project.secretKey()).expect(401);
        api.get("/v1/projects/" + project.id() + "/.well-known/jwks.json").expect(404);
        api.post("/v1/auth/signin")
                .json(Map.of("projectId", project.id(), "email", "a@example.com", "password", "some password"))
                .expect(404);
    }

    @Test
    void noRowRemainsInAnyTable() {
        project.signUp();
        project.trySignIn(TestServer.newEmail(), "not the password").expect(401);
        project.post("/v1/auth/password/forgot")
                .json(Map.of("email", TestServer.newEmail()))
                .expect(200);
        SeededTables.seed(server.sql(), project.id());
        var everyTable = server.sql() // in oauth_endings, no row stays that nothing depends on
                .texts("SELECT table_name::text FROM information_schema.columns"
                        + " WHERE table_schema = 'public' AND column_name = 'project_id'"
                        + " AND table_name NOT IN ('project_changes', 'retired_slugs', 'oauth_endings') AND table_name NOT LIKE 'audit\\_log\\_%'"
                        + " UNION SELECT 'projects'"
                        + " ORDER BY 1");
        assertThat(tablesWithRows()).as("seeded").containsExactlyElementsOf(everyTable);
        delete();

        Eventually.until("all rows are gone", () -> tablesWithRows().isEmpty());
    }

    /**
     * Otherwise the foreign key would remove their rows one user at a time, even for a project with a million users.
     */
    @Test
    void rowsThatReferToUsersAreRemovedWithThem() {
        assertThat(DeletedProjectStore.OF_USERS.stream().map(table -> table.name() + " " + table.key()))
                .containsExactlyInAnyOrderElementsOf(server.sql().texts("""
                        SELECT conrelid::regclass || ' ' || attname
                        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[2]
                        WHERE contype = 'f' AND confrelid = 'users'::regclass
                        """));
    }

    @Test
    void otherProjectsAreNotAffected() {
        var other = server.newProject(project.owner(), "Another");
        var signedUp = other.signUp();
        delete();
        Eventually.until("all rows are gone", () -> tablesWithRows().isEmpty());

        other.me(signedUp.accessToken()).expect(200);
        other.refresh(signedUp.refreshToken()).expect(200);
        assertThat(other.asOwner("GET", "").expect(200).text("name")).isEqualTo("Another");
    }

    @Test
    void signUpsDuringTheDeletionLeaveNoRows() {
        project.signUp();
        var storm = Parallel.start(
                100,
                number -> server.api()
                        .post("/v1/auth/signup")
                        .key(project.publishableKey())
                        .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD)));
        Eventually.until("some sign ups are done", () -> storm.stream().anyMatch(CompletableFuture::isDone));
        delete();

        assertThat(Parallel.await(storm)).extracting(Response::status).isSubsetOf(201, 401);
        Eventually.until("all rows are gone", () -> tablesWithRows().isEmpty());
    }

    @Test
    void anOpenTransactionDoesNotBlockTheDeletionAndLeavesNoRows() throws SQLException {
        project.signUp();
        try (var connection = server.sql().connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO brandings (project_id) VALUES ('" + project.id() + "')");
            delete();
            Eventually.until("all other rows are gone", () -> tablesWithRows().equals(List.of("counts", "projects")));
            connection.commit();
        }
        Eventually.until("all rows are gone", () -> tablesWithRows().isEmpty());
    }

    @Test
    void aWriteAfterTheRemovalIsRejected() throws SQLException {
        try (var connection = server.sql().connect();
                var statement = connection.createStatement()) {
            // A sign up that has found the project and now waits for another transaction with the same email.
            connection.setAutoCommit(false);
            var email = TestServer.newEmail();
            statement.execute("INSERT INTO users (project_id, id, email, created_at, updated_at) VALUES ('"
                    + project.id() + "', gen_random_uuid(), '" + email + "', now(), now())");
            var waiting = server.api()
                    .post("/v1/auth/signup")
                    .key(project.publishableKey())
                    .json(Map.of("email", email, "password", TestProject.PASSWORD))
                    .sendAsync();
            Eventually.until(
                    "the sign up waits",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND datname = current_database() AND query LIKE 'INSERT INTO users%'")
                            == 1);
            statement.execute("DELETE FROM users WHERE project_id = '" + project.id() + "'");
            for (var table : List.of("counts", "api_keys", "signing_keys", "memberships")) {
                statement.execute("DELETE FROM " + table + " WHERE project_id = '" + project.id() + "'");
            }
            statement.execute("DELETE FROM projects WHERE id = '" + project.id() + "'");
            connection.commit();

            assertThat(waiting.join().status()).isEqualTo(401);
        }
    }

    @Test
    void theProjectOfTheDashboardUsersCannotBeDeleted() {
        var system = new TestProject(server.api(), ProjectId.SYSTEM.toString(), "", "", project.owner());
        server.sql()
                .update(
                        "INSERT INTO memberships (project_id, user_id, role, created_at)"
                                + " SELECT ?::uuid, user_id, role, created_at FROM memberships WHERE project_id = ?::uuid",
                        system.id(),
                        project.id());
        try {
            system.asOwner("DELETE", "").expect(403);
            system.asOwner("GET", "").expect(200);
        } finally {
            server.sql().update("DELETE FROM memberships WHERE project_id = ?::uuid", system.id());
        }
    }
}
