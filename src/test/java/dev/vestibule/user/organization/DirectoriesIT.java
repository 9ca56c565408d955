package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Directories of organizations and their tokens. */
@ExtendWith(WithServer.class)
class DirectoriesIT {
    private final TestServer server;
    private TestProject project;
    private ScimCalls scim;

    DirectoriesIT(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void newDirectory() {
        project = server.newProject();
        scim = ScimCalls.start(server, project);
    }

    @Test
    void aDirectoryHasABaseUrlAndATokenThatIsShownOnce() {
        var listed = scim.manage("GET", "").expect(200);
        assertThat(listed.text("0/id")).isEqualTo(scim.directory());
        assertThat(listed.text("0/baseUrl")).endsWith(scim.base());
        assertThat(scim.token()).endsWith(listed.text("0/tokens/0/ending")).startsWith("scim_");
        assertThat(listed.body()).doesNotContain(scim.token());
        scim.call("GET", "/Users").expect(200);
        assertThat(scim.manage("GET", "").expect(200).json().at("/0/tokens/0/lastUsedAt"))
                .isNotNull();
        var stored = server.sql()
                .texts(
                        "SELECT directory_tokens::text || (SELECT coalesce(string_agg(audit_log::text, ''), '') FROM audit_log"
                                + " WHERE project_id = directory_tokens.project_id) FROM directory_tokens"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        assertThat(stored).hasSize(1).noneMatch(text -> text.contains(scim.token()));
    }

    @Test
    void aDirectorySaysHowMuchItHasProvisioned() {
        ScimCalls.start(scim.calls(), scim.owner(), scim.organization()).user("eve");
        scim.activate(scim.user("ada"), false).expect(200);
        scim.user("bob");
        scim.call("POST", "/Groups").json(Map.of("displayName", "Staff")).expect(201);
        var listed = scim.manage("GET", "").expect(200);
        assertThat(List.of(listed.text("0/userCount"), listed.text("0/groupCount")))
                .containsExactly("2", "1");
        assertThat(List.of(listed.text("1/userCount"), listed.text("1/groupCount")))
                .containsExactly("1", "0");
        var changed = scim.manage("PATCH", "/" + scim.directory())
                .json(Map.of("name", "Okta"))
                .expect(200);
        assertThat(changed.text("userCount")).isEqualTo("2");
    }

    @Test
    void twoTokensAreValidWhileOneReplacesTheOther() {
        var second = scim.manage("POST", "/" + scim.directory() + "/tokens").expect(201);
        assertThat(scim.manage("POST", "/" + scim.directory() + "/tokens")
                        .expect(409)
                        .text("code"))
                .isEqualTo("limit_reached");
        var first = scim.manage("GET", "").expect(200).text("0/tokens/0/id");
        with(second.text("token")).call("GET", "/Users").expect(200);
        scim.call("GET", "/Users").expect(200);
        scim.manage("DELETE", "/" + scim.directory() + "/tokens/" + first).expect(200);
        scim.manage("DELETE", "/" + scim.directory() + "/tokens/" + first).expect(404);
        scim.call("GET", "/Users").expect(401);
        with(second.text("token")).call("GET", "/Users").expect(200);
        assertThat(scim.calls().audited(scim.organization()))
                .endsWith("org.directory.created", "org.directory.token.created", "org.directory.token.revoked");
    }

    private ScimCalls with(String token) {
        return new ScimCalls(scim.calls(), scim.owner(), scim.organization(), scim.domain(), scim.directory(), token);
    }

    @Test
    void aTokenOpensItsOwnDirectoryAlone() {
        var other = ScimCalls.start(server, project);
        var elsewhere = ScimCalls.start(server, server.newProject());
        var refused = List.of(
                other.base(),
                elsewhere.base(),
                "/v1/scim/" + project.id() + "/" + elsewhere.directory(),
                "/v1/scim/" + elsewhere.calls().project().id() + "/" + scim.directory(),
                "/v1/scim/" + project.id() + "/" + UUID.randomUUID(),
                "/v1/scim/" + UUID.randomUUID() + "/" + scim.directory(),
                "/v1/scim/no-id/no-id");
        for (var base : refused) {
            for (var path : List.of("/Users", "/Groups", "/Schemas", "/Users/" + UUID.randomUUID())) {
                project.api().get(base + path).bearer(scim.token()).expect(401);
            }
        }
        for (var token : List.of(
                "scim_live_nonsense",
                scim.token().substring(1),
                scim.token() + "A",
                scim.token().replace("scim_", "uk_"),
                project.secretKey(),
                scim.owner().accessToken())) {
            assertThat(project.api()
                            .get(scim.base() + "/Users")
                            .bearer(token)
                            .expect(401)
                            .text("schemas/0"))
                    .isEqualTo("urn:ietf:params:scim:api:messages:2.0:Error");
        }
        project.api().get(scim.base() + "/Users").expect(401);
        project.api().get("/v1/auth/me").bearer(scim.token()).expect(401);
    }

    @Test
    void aDirectoryThatIsSwitchedOffAnswersNothingAndItsMembersStay() {
        var user = scim.user("ada");
        scim.manage("PATCH", "/" + scim.directory())
                .json(Map.of("enabled", false))
                .expect(200);
        scim.call("GET", "/Users").expect(403);
        assertThat(scim.roles(user)).containsExactly("member");
        scim.manage("PATCH", "/" + scim.directory())
                .json(Map.of("enabled", true))
                .expect(200);
        scim.call("GET", "/Users").expect(200);
        scim.manage("DELETE", "/" + scim.directory()).expect(200);
        scim.call("GET", "/Users").expect(401);
        assertThat(scim.roles(user)).containsExactly("member");
    }

    @Test
    void onlyWhoHoldsThePermissionManagesDirectories() {
        var member = scim.calls().join(scim.organization(), "member");
        var admin = scim.calls().join(scim.organization(), "admin");
        var stranger = project.signUp();
        var root = "/" + scim.organization() + "/directories";
        scim.calls().as(admin, "GET", root).expect(200);
        for (var path : List.of(root, root + "/" + scim.directory() + "/tokens")) {
            scim.calls().as(member, "POST", path).json(Map.of("name", "Mine")).expect(403);
            scim.calls().as(stranger, "POST", path).json(Map.of("name", "Mine")).expect(404);
        }
        scim.calls().as(member, "GET", root).expect(403);
        scim.calls().as(member, "DELETE", root + "/" + scim.directory()).expect(403);
        var dashboard = "/v1/dashboard/organizations" + root;
        assertThat(project.manage("GET", dashboard).expect(200).text("0/id")).isEqualTo(scim.directory());
        server.newProject().manage("GET", dashboard).expect(404);
        server.newProject().manage("DELETE", dashboard + "/" + scim.directory()).expect(404);
        var second = scim.calls().create(scim.owner(), "Second");
        scim.calls()
                .as(scim.owner(), "DELETE", "/" + second + "/directories/" + scim.directory())
                .expect(404);
    }

    @Test
    void anOrganizationHasThreeDirectories() {
        scim.manage("POST", "").json(Map.of("name", "Second")).expect(201);
        scim.manage("POST", "").json(Map.of("name", "Third")).expect(201);
        assertThat(scim.manage("POST", "")
                        .json(Map.of("name", "Fourth"))
                        .expect(409)
                        .text("code"))
                .isEqualTo("limit_reached");
    }

    @Test
    void nobodyMakesATokenOfADirectoryWhoseGroupsGiveRolesBeyondTheirOwn() {
        scim.calls().set(Map.of("organizationRoles", Map.of("it", List.of("org.directories.manage"))));
        var technician = scim.calls().join(scim.organization(), "it");
        var path = "/" + scim.organization() + "/directories/" + scim.directory();
        var tokens = path + "/tokens";
        scim.calls()
                .as(scim.owner(), "PATCH", path)
                .json(Map.of("groupRoles", Map.of("Admins", "admin")))
                .expect(200);
        assertThat(scim.calls().as(technician, "POST", tokens).expect(403).text("code"))
                .isEqualTo("role_not_allowed");
        scim.calls()
                .as(scim.owner(), "PATCH", path)
                .json(Map.of("groupRoles", Map.of("Technicians", "it")))
                .expect(200);
        scim.calls().as(technician, "POST", tokens).expect(201);
    }

    @Test
    void nobodyMapsAGroupToARoleBeyondTheirOwn() {
        scim.calls().set(Map.of("organizationRoles", Map.of("auditor", List.of("audit.read"), "root", List.of("all"))));
        var admin = scim.calls().join(scim.organization(), "admin");
        var path = "/" + scim.organization() + "/directories/" + scim.directory();
        assertThat(scim.calls()
                        .as(admin, "PATCH", path)
                        .json(Map.of("groupRoles", Map.of("Admins", "root")))
                        .expect(403)
                        .text("code"))
                .isEqualTo("role_not_allowed");
        scim.calls()
                .as(admin, "PATCH", path)
                .json(Map.of("groupRoles", Map.of("Admins", "admin")))
                .expect(200);
        for (var odd : List.of(
                Map.of("Admins", "owner"),
                Map.of("Admins", "nobody"),
                Map.of("", "admin"),
                Map.of("a\u0000", "admin"))) {
            assertThat(scim.manage("PATCH", "/" + scim.directory())
                            .json(Map.of("groupRoles", odd))
                            .expect(422)
                            .failingFields())
                    .containsExactly("groupRoles");
        }
    }
}
