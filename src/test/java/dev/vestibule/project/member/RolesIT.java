package dev.vestibule.project.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What developers and support can do in a project, and what they cannot; {@code GuardsIT} has every route. */
@ExtendWith(WithServer.class)
class RolesIT {
    private static final String USERS = "/v1/dashboard/users";

    private final TestServer server;
    private final TestProject project;
    private final String userPath;

    RolesIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.userPath = USERS + "/" + project.signUp().text("user/id");
    }

    private Call ofUsers(String member, String method, String path) {
        return server.api()
                .call(method, path + "?projectId=" + project.id())
                .bearer(member)
                .json(Map.of());
    }

    @Test
    void supportManagesUsersAndTheirSessions() {
        var support = server.newMember(project, "support");
        var made = ofUsers(support, "POST", USERS)
                .json(Map.of("email", TestServer.newEmail()))
                .expect(201);
        var path = USERS + "/" + made.text("id");
        ofUsers(support, "PATCH", path).json(Map.of("displayName", "Ada")).expect(200);
        ofUsers(support, "PATCH", path + "/ban").expect(200);
        ofUsers(support, "PATCH", path + "/unban").expect(200);
        ofUsers(support, "POST", path + "/unlock").expect(200);
        ofUsers(support, "POST", path + "/password-reset").expect(200);
        ofUsers(support, "DELETE", path + "/factors").expect(200);
        ofUsers(support, "DELETE", path + "/sessions").expect(200);
        ofUsers(support, "DELETE", path).expect(200);
    }

    @Test
    void supportNeitherSeesNorSetsPrivateMetadata() {
        project.manage("PATCH", userPath)
                .json(Map.of("privateMetadata", Map.of("creditLimit", 500)))
                .expect(200);
        var support = server.newMember(project, "support");
        var changed = ofUsers(support, "PATCH", userPath)
                .json(Map.of("displayName", "Ada"))
                .expect(200);
        assertThat(changed.body()).doesNotContain("creditLimit");
        var secret = Map.of("privateMetadata", Map.of("creditLimit", 1));
        assertThat(ofUsers(support, "PATCH", userPath).json(secret).expect(403).text("code"))
                .isEqualTo("role_not_allowed");
        ofUsers(support, "POST", USERS)
                .json(Map.of("email", TestServer.newEmail(), "privateMetadata", Map.of("creditLimit", 1)))
                .expect(403);
        assertThat(project.manage("GET", userPath).expect(200).body()).contains("500");
        var developer = server.newMember(project, "developer");
        assertThat(ofUsers(developer, "PATCH", userPath)
                        .json(secret)
                        .expect(200)
                        .body())
                .contains("creditLimit");
    }

    @Test
    void aDeveloperChangesSettingsKeysAndWebhooks() {
        var developer = server.newMember(project, "developer");
        project.as(developer, "PATCH", "").json(Map.of("name", "Engines")).expect(200);
        var key = project.as(developer, "POST", "/keys")
                .json(Map.of("kind", "secret"))
                .expect(201);
        project.as(developer, "DELETE", "/keys/" + key.text("id")).expect(200);
        project.as(developer, "PATCH", "/branding")
                .json(Map.of("brandName", "Engines"))
                .expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"developer", "support"})
    void nobodyBelowAnOwnerGivesRolesActsAsUsersOrDeletesTheProject(String role) {
        var member = server.newMember(project, role);
        for (var invited : Role.values()) {
            assertThat(project.as(member, "POST", "/members")
                            .json(Map.of("email", TestServer.newEmail(), "role", invited.text()))
                            .expect(403)
                            .text("code"))
                    .isEqualTo("owner_required");
        }
        var own = server.api().get("/v1/auth/me").bearer(member).expect(200).text("id");
        project.as(member, "PATCH", "/members/" + own)
                .json(Map.of("role", "owner"))
                .expect(403);
        for (var where : List.of("", "/in-browser")) {
            project.as(member, "POST", userPath.replace("/v1/dashboard", "") + "/impersonate" + where)
                    .json(Map.of("reason", "To see"))
                    .expect(403);
        }
        project.as(member, "DELETE", "").json(Map.of()).expect(403);
        project.as(member, "GET", "").expect(200);
        project.as(member, "DELETE", "/members/" + own).json(Map.of()).expect(200);
        project.as(member, "GET", "").expect(404);
    }

    @ParameterizedTest
    @CsvSource({"owner, 201", "developer, 403", "support, 403", "viewer, 403"})
    void anOwnerInvitesWithEveryRoleAndNobodyElseInvites(String role, int status) {
        var member = server.newMember(project, role);
        project.as(member, "POST", "/members")
                .json(Map.of("email", TestServer.newEmail(), "role", role))
                .expect(status);
        assertThat(project.asOwner("POST", "/members")
                        .json(Map.of("email", TestServer.newEmail(), "role", role))
                        .expect(201)
                        .text("role"))
                .isEqualTo(role);
    }

    @Test
    void aDemotionHoldsFromTheNextRequest() {
        var developer = server.newMember(project, "developer");
        project.as(developer, "PATCH", "").json(Map.of("name", "One")).expect(200);
        var id = server.api().get("/v1/auth/me").bearer(developer).expect(200).text("id");
        project.asOwner("PATCH", "/members/" + id)
                .json(Map.of("role", "support"))
                .expect(200);
        project.as(developer, "PATCH", "").json(Map.of("name", "Two")).expect(403);
        ofUsers(developer, "PATCH", userPath + "/ban").expect(200);
    }
}
