package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which entries the operations of users and of their managers write. */
@ExtendWith(WithServer.class)
class AuditLogIT {
    private static final String ENTRIES = """
            SELECT concat_ws(' ', event, actor_type, actor_id, target_type, target_id, metadata) FROM audit_log
            WHERE project_id = ?::uuid AND event LIKE ? AND ip_address = '127.0.0.1' AND user_agent IS NOT NULL
            ORDER BY created_at, id
            """;

    private final TestServer server;
    private final TestProject project;

    AuditLogIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private List<String> entries(String events) {
        return server.sql().texts(ENTRIES, project.id(), events);
    }

    @Test
    void aSignUpAndASignInRecordWhoAndHow() {
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        var token = project.signIn(email).accessToken();
        var session = project.manage("GET", "/v1/dashboard/users/" + user + "/sessions")
                .expect(200)
                .text("sessions/0/id");

        assertThat(entries("auth.signup"))
                .containsExactly("auth.signup user %s user %s {\"amr\": [\"pwd\"]}".formatted(user, user));
        assertThat(entries("auth.signin"))
                .containsExactly("auth.signin user %s session %s {\"amr\": [\"pwd\"]}".formatted(user, session));
        project.me(token).expect(200);
    }

    @Test
    void aRefusedSignInRecordsTheAccountAndTheReason() {
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        project.trySignIn(email, "not the password").expect(401);

        Eventually.until(
                "it is written",
                () -> entries("auth.signin.failed")
                        .equals(List.of(
                                "auth.signin.failed user user %s {\"reason\": \"wrong_password\"}".formatted(user))));
    }

    @Test
    void anEmailWithoutAnAccountIsRecordedAsAHashOnly() {
        var email = TestServer.newEmail();
        project.trySignIn(email, "not the password").expect(401);
        project.trySignIn(email, "not the password").expect(401);

        Eventually.until("both are written", () -> entries("auth.signin.failed").size() == 2);
        assertThat(entries("auth.signin.failed"))
                .allMatch(entry -> entry.contains("unknown_email") && !entry.contains(email))
                .satisfies(entries -> assertThat(entries.get(0)).isEqualTo(entries.get(1)));
    }

    @Test
    void aBanRecordsWhichKeyWasUsed() {
        var user = project.signUp().text("user/id");
        var key = server.sql()
                .texts("SELECT id FROM api_keys WHERE project_id = ?::uuid AND kind = 'secret'", project.id())
                .get(0);
        project.manage("PATCH", "/v1/dashboard/users/" + user + "/ban").expect(200);

        assertThat(entries("admin.%")).containsExactly("admin.user.banned api_key %s user %s".formatted(key, user));
    }

    private List<String> events(String like) {
        return server.sql()
                .texts(
                        "SELECT event || ' ' || actor_type FROM audit_log WHERE project_id = ?::uuid AND event LIKE ?"
                                + " AND target_id IS NOT NULL ORDER BY created_at, id",
                        project.id(),
                        like);
    }

    @Test
    void whatServersDoToUsersIsRecordedInOrder() {
        var path = "/v1/dashboard/users/" + project.signUp().text("user/id");
        project.manage("PATCH", path + "/ban").expect(200);
        project.manage("PATCH", path + "/unban").expect(200);
        project.manage("POST", path + "/unlock").expect(200);
        project.manage("DELETE", path + "/sessions").expect(200);
        project.manage("DELETE", path).expect(200);

        assertThat(events("admin.%"))
                .containsExactly(
                        "admin.user.banned api_key",
                        "admin.user.unbanned api_key",
                        "admin.user.unlocked api_key",
                        "admin.user.sessions_revoked api_key",
                        "admin.user.deleted api_key");
    }

    @Test
    void theEndOfASessionRecordsWhoEndedIt() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        project.signOut(user.accessToken()).expect(200);
        project.signIn(email);
        var session = project.manage("GET", "/v1/dashboard/users/" + user.text("user/id") + "/sessions")
                .expect(200)
                .text("sessions/0/id");
        project.manage("DELETE", "/v1/dashboard/sessions/" + session).expect(200);

        assertThat(events("auth.signout")).containsExactly("auth.signout user");
        assertThat(entries("admin.session.revoked")).hasSize(1).allMatch(entry -> entry.endsWith(session));
    }

    @Test
    void whatOwnersDoToAProjectIsRecorded() {
        project.asOwner("PATCH", "").json(Map.of("name", "Renamed")).expect(200);
        var key = project.asOwner("POST", "/keys")
                .json(Map.of("kind", "secret"))
                .expect(201)
                .text("id");
        project.asOwner("DELETE", "/keys/" + key).expect(200);

        assertThat(events("project.%"))
                .containsExactly(
                        "project.created admin",
                        "project.updated admin",
                        "project.key.created admin",
                        "project.key.revoked admin");
    }

    @Test
    void aRefusedChangeLeavesNoEntry() {
        project.manage("DELETE", "/v1/dashboard/sessions/" + UUID.randomUUID()).expect(404);
        project.manage("PATCH", "/v1/dashboard/users/" + UUID.randomUUID() + "/ban")
                .expect(404);

        assertThat(events("admin.%")).isEmpty();
    }

    @Test
    void theDeletionOfAProjectIsRecordedInTheSystemProjectsLog() {
        project.asOwner("DELETE", "").expect(200);

        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM audit_log WHERE event = 'project.deleted' AND target_id = ?::uuid"
                                        + " AND actor_type = 'admin'",
                                project.id()))
                .isEqualTo(1);
    }
}
