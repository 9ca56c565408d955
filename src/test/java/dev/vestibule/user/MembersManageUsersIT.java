package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Members of the project manage users and sessions, as a console does. */
@ExtendWith(WithServer.class)
class MembersManageUsersIT {
    private static final String USERS = "/v1/dashboard/users";
    private static final String SESSIONS = "/v1/dashboard/sessions";

    private final TestServer server;
    private final TestProject project;
    private final Response user;
    private final String userPath;

    MembersManageUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.user = project.signUp();
        this.userPath = USERS + "/" + user.text("user/id");
    }

    private Call as(String dashboardUser, String method, String path) {
        var call = server.api()
                .call(method, path + (path.contains("?") ? "&" : "?") + "projectId=" + project.id())
                .bearer(dashboardUser);
        return method.equals("GET") ? call : call.json(Map.of());
    }

    private Call asOwner(String method, String path) {
        return as(project.owner(), method, path);
    }

    private static List<String> reads(String userPath) {
        return List.of(
                USERS,
                USERS + "?search=example&limit=5",
                userPath,
                userPath + "/sessions",
                userPath + "/passkeys",
                SESSIONS);
    }

    @Test
    void membersReadWhatServersRead() {
        for (var member : List.of(project.owner(), server.newMember(project, "viewer"))) {
            for (var path : reads(userPath)) {
                assertThat(as(member, "GET", path).expect(200).json())
                        .as(path)
                        .isEqualTo(project.manage("GET", path).expect(200).json());
            }
        }
    }

    @Test
    void anOwnerDoesWhatServersDo() {
        var made = asOwner("POST", USERS)
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(201);
        var path = USERS + "/" + made.text("id");
        asOwner("PATCH", path).json(Map.of("displayName", "Ada")).expect(200);
        assertThat(asOwner("GET", path).expect(200).text("displayName")).isEqualTo("Ada");
        asOwner("PATCH", path + "/ban").expect(200);
        assertThat(asOwner("GET", path).expect(200).text("isBanned")).isEqualTo("true");
        asOwner("PATCH", path + "/unban").expect(200);
        asOwner("POST", path + "/unlock").expect(200);
        asOwner("POST", path + "/password-reset").expect(200);
        asOwner("DELETE", path + "/factors").expect(200);

        var session = project.signIn(made.text("email")).accessToken();
        var id = asOwner("GET", path + "/sessions").expect(200).text("sessions/0/id");
        asOwner("DELETE", SESSIONS + "/" + id).expect(200);
        project.api().get("/v1/auth/me").bearer(session).expect(401);
        project.signIn(made.text("email"));
        assertThat(asOwner("DELETE", path + "/sessions").expect(200).text("revoked"))
                .isEqualTo("1");

        asOwner("DELETE", path).expect(200);
        asOwner("GET", path).expect(404);
    }

    @Test
    void anOwnerImportsUsers() {
        var email = TestServer.newEmail();
        var answer = asOwner("POST", USERS + "/import")
                .raw("application/x-ndjson", "{\"email\":\"" + email + "\"}\n".repeat(2))
                .expect(200);
        assertThat(answer.body()).contains("\"created\"").contains("\"exists\"").contains("\"done\":true");
    }

    @Test
    void aViewersImportIsRefusedBeforeItsBodyIsRead() {
        var email = TestServer.newEmail();
        var lines = ("{\"email\":\"" + email + "\"}\n").repeat(20_000);
        as(server.newMember(project, "viewer"), "POST", USERS + "/import")
                .raw("application/x-ndjson", lines)
                .expect(403);
        as(server.newDashboardUser(), "POST", USERS + "/import")
                .raw("application/x-ndjson", lines)
                .expect(404);
        assertThat(asOwner("GET", USERS + "?search=" + email).expect(200).text("total"))
                .isEqualTo("0");
    }

    /** As in an export: the application's private data is for those who can create a secret key. */
    @Test
    void aViewerSeesNoPrivateMetadata() {
        project.manage("PATCH", userPath)
                .json(Map.of("privateMetadata", Map.of("creditLimit", 500), "publicMetadata", Map.of("plan", "pro")))
                .expect(200);
        assertThat(asOwner("GET", userPath).expect(200).body()).contains("creditLimit");
        var seen = as(server.newMember(project, "viewer"), "GET", userPath).expect(200);
        assertThat(seen.body()).contains("\"plan\"").doesNotContain("creditLimit");
    }

    @Test
    void theAuditLogNamesTheMember() {
        var owner = server.api()
                .get("/v1/auth/me")
                .bearer(project.owner())
                .expect(200)
                .text("id");
        asOwner("PATCH", userPath + "/ban").expect(200);
        var entry = asOwner("GET", "/v1/dashboard/audit-logs?event=admin.user.banned")
                .expect(200);
        assertThat(entry.body()).contains(owner).contains(user.text("user/id"));
        assertThat(server.sql()
                        .texts(
                                "SELECT actor_type || ' ' || actor_id FROM audit_log WHERE project_id = ?::uuid AND event = ?",
                                project.id(),
                                "admin.user.banned"))
                .containsExactly("admin " + owner);
    }

    /** They are credentials at other companies, and only an application's servers need them. */
    @Test
    void onlyServersReadTokensOfProviders() {
        asOwner("GET", userPath + "/providers/google/tokens").expect(403);
    }

    @Test
    void aProjectInTheBodyIsRefusedLikeAnyUnknownField() {
        var refused = asOwner("PATCH", userPath)
                .json(Map.of("projectId", project.id(), "displayName", "Ada"))
                .expect(422);
        assertThat(refused.failingFields()).containsExactly("projectId");
    }
}
