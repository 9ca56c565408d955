package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.HeldAccount;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Groups of a directory, and the roles that they give. */
@ExtendWith(WithServer.class)
class ScimGroupsIT {
    /** As an owner does who sets {@code groupRoles} to {@code {}}. */
    private static final String UNMAP = """
            WITH unmapped AS (UPDATE directories SET group_roles = '{}' WHERE organization_id = ? RETURNING id)
            UPDATE directory_users SET group_role = NULL FROM unmapped WHERE directory_users.directory_id = unmapped.id
            """;

    private static final String REVOKE = """
            DELETE FROM directory_tokens USING directories
            WHERE directories.id = directory_tokens.directory_id AND directories.organization_id = ?
            """;

    private final TestServer server;
    private TestProject project;
    private ScimCalls scim;
    private Response ada;
    private Response bob;

    ScimGroupsIT(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void newDirectory() {
        project = server.newProject();
        scim = ScimCalls.start(server, project);
        ada = scim.user("ada");
        bob = scim.user("bob");
    }

    private void map(Map<String, String> groupRoles) {
        scim.manage("PATCH", "/" + scim.directory())
                .json(Map.of("groupRoles", groupRoles))
                .expect(200);
    }

    private static List<Map<String, String>> members(Response... users) {
        return Arrays.stream(users)
                .map(user -> Map.of("value", user.text("id")))
                .toList();
    }

    private Response group(String name, Response... users) {
        return scim.call("POST", "/Groups")
                .json(Map.of("displayName", name, "members", members(users)))
                .expect(201);
    }

    private Response change(Response group, Object... operations) {
        return scim.patch("/Groups/" + group.text("id"), operations).expect(200);
    }

    private static List<String> ids(Response group) {
        var ids = new ArrayList<String>();
        group.json().path("members").forEach(one -> ids.add(one.path("value").asText()));
        return ids;
    }

    @Test
    void membersAreAddedRemovedAndReplaced() {
        var group = group("Engineers", ada);
        assertThat(ids(group)).containsExactly(ada.text("id"));
        assertThat(ids(change(group, Map.of("op", "add", "path", "members", "value", members(bob, ada)))))
                .containsExactlyInAnyOrder(ada.text("id"), bob.text("id"));
        assertThat(ids(change(group, Map.of("op", "Remove", "path", "members[value eq \"" + ada.text("id") + "\"]"))))
                .containsExactly(bob.text("id"));
        assertThat(ids(change(group, Map.of("op", "remove", "path", "members", "value", members(bob)))))
                .isEmpty();
        assertThat(ids(change(
                        group,
                        Map.of("op", "replace", "value", Map.of("displayName", "Builders", "members", members(ada))))))
                .containsExactly(ada.text("id"));
        assertThat(ids(change(group, Map.of("op", "remove", "path", "members"))))
                .isEmpty();
        assertThat(scim.call("GET", "/Groups/" + group.text("id")).expect(200).text("displayName"))
                .isEqualTo("Builders");
        assertThat(ids(scim.call("PUT", "/Groups/" + group.text("id"))
                        .json(Map.of("displayName", "Engineers", "externalId", "E", "members", members(ada, bob)))
                        .expect(200)))
                .hasSize(2);
        scim.call("DELETE", "/Users/" + ada.text("id")).expect(204);
        assertThat(ids(scim.call("GET", "/Groups/" + group.text("id")).expect(200)))
                .containsExactly(bob.text("id"));
        scim.call("DELETE", "/Groups/" + group.text("id")).expect(204);
        scim.call("GET", "/Groups/" + group.text("id")).expect(404);
        assertThat(scim.calls().audited(scim.organization()))
                .contains("org.group.created", "org.group.updated", "org.group.deleted");
    }

    @Test
    void filtersFindGroups() {
        var group = group("Engineers", ada);
        group("Others", bob);
        for (var filter : List.of(
                "displayName eq \"engineers\"",
                "id eq \"" + group.text("id") + "\" and members eq \"" + ada.text("id") + "\"",
                "members[value eq \"" + ada.text("id") + "\"]",
                "not (members eq \"" + bob.text("id") + "\") and (externalId pr or displayName sw \"eng\")",
                "displayName eq \"Engineers\" or id eq \"no id\"",
                "not (displayName eq \"others\" or members co \"x\")")) {
            var found = scim.call(
                            "GET",
                            "/Groups?excludedAttributes=members&filter="
                                    + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                    .expect(200);
            assertThat(found.text("totalResults")).as(filter).isEqualTo("1");
            assertThat(found.text("Resources/0/id")).isEqualTo(group.text("id"));
            assertThat(found.json().at("/Resources/0").has("members")).isFalse();
        }
    }

    @Test
    void aMappedGroupGivesItsRoleAndTakesItAgain() {
        scim.calls().subscribe();
        map(Map.of("admins", "admin"));
        var group = group("Admins", ada);
        assertThat(scim.roles(ada, bob)).containsExactly("admin", "member");
        change(group, Map.of("op", "add", "path", "members", "value", members(bob)));
        change(group, Map.of("op", "remove", "path", "members[value eq \"" + ada.text("id") + "\"]"));
        assertThat(scim.roles(ada, bob)).containsExactly("member", "admin");
        change(group, Map.of("op", "replace", "path", "displayName", "value", "Others"));
        assertThat(scim.roles(ada, bob)).containsExactly("member", "member");
        map(Map.of("others", "admin"));
        assertThat(scim.roles(ada, bob)).containsExactly("member", "admin");
        map(Map.of());
        assertThat(scim.roles(ada, bob)).containsExactly("member", "member");
        assertThat(scim.calls().events()).hasSize(6).containsOnly("organization.member.role_changed");
    }

    @Test
    void ofSeveralGroupsTheOneWithTheMostPermissionsDecides() {
        scim.calls().set(Map.of("organizationRoles", Map.of("auditor", List.of("audit.read"))));
        map(Map.of("Admins", "admin", "Auditors", "auditor"));
        var admins = group("Admins", ada);
        group("Auditors", ada);
        assertThat(scim.roles(ada)).containsExactly("admin");
        scim.call("DELETE", "/Groups/" + admins.text("id")).expect(204);
        assertThat(scim.roles(ada)).containsExactly("auditor");
    }

    @Test
    void groupsNeitherMakeNorRemoveOwners() {
        map(Map.of("Admins", "admin"));
        scim.calls()
                .manage("PATCH", "/" + scim.organization() + "/members/" + ada.text("id"))
                .json(Map.of("role", "owner"))
                .expect(200);
        var group = group("Admins", ada);
        assertThat(scim.roles(ada)).containsExactly("owner");
        scim.call("DELETE", "/Groups/" + group.text("id")).expect(204);
        assertThat(scim.roles(ada)).containsExactly("owner");
    }

    @Test
    void aRoleThatNoGroupGaveStays() {
        map(Map.of("Admins", "admin"));
        scim.calls()
                .manage("PATCH", "/" + scim.organization() + "/members/" + ada.text("id"))
                .json(Map.of("role", "admin"))
                .expect(200);
        group("Others", ada);
        assertThat(scim.roles(ada)).containsExactly("admin");
    }

    @Test
    void whoComesBackHasTheRoleOfTheirGroups() {
        map(Map.of("Admins", "admin"));
        group("Admins", ada);
        scim.activate(ada, false).expect(200);
        scim.activate(ada, true).expect(200);
        assertThat(scim.roles(ada)).containsExactly("admin");
    }

    /** Its response, when it has waited for the organization and for what happened to that meanwhile. */
    private Response whileItWaits(Call request, String meanwhile) {
        return HeldAccount.during(server.sql(), "organizations", scim.organization(), request::sendAsync, meanwhile);
    }

    private Call add(Response group, Response user) {
        return scim.patch(
                "/Groups/" + group.text("id"), Map.of("op", "add", "path", "members", "value", members(user)));
    }

    @Test
    void aMappingThatIsRemovedWhileARequestWaitsGivesNothing() {
        map(Map.of("Admins", "admin"));
        var admins = group("Admins");
        assertThat(whileItWaits(add(admins, ada), UNMAP).status()).isEqualTo(200);
        assertThat(scim.roles(ada)).containsExactly("member");
    }

    @Test
    void whoComesBackWhileTheMappingIsRemovedIsAMember() {
        map(Map.of("Admins", "admin"));
        group("Admins", ada);
        scim.activate(ada, false).expect(200);
        assertThat(whileItWaits(scim.activate(ada, true), UNMAP).status()).isEqualTo(200);
        assertThat(scim.roles(ada)).containsExactly("member");
    }

    @Test
    void aTokenThatIsRevokedWhileARequestWaitsIsRefused() {
        map(Map.of("Admins", "admin"));
        var admins = group("Admins");
        assertThat(whileItWaits(add(admins, ada), REVOKE).status()).isEqualTo(401);
        assertThat(scim.roles(ada)).containsExactly("member");
    }

    @Test
    void aDirectoryThatIsSwitchedOffWhileARequestWaitsChangesNothing() {
        map(Map.of("Admins", "admin"));
        var admins = group("Admins");
        for (var request : List.of(
                add(admins, ada),
                scim.call("DELETE", "/Groups/" + admins.text("id")),
                scim.call("POST", "/Groups").json(Map.of("displayName", "Admins", "members", members(ada))),
                scim.newUser("eve"),
                scim.activate(ada, false),
                scim.call("DELETE", "/Users/" + ada.text("id")))) {
            assertThat(whileItWaits(request, "UPDATE directories SET enabled = false WHERE organization_id = ?")
                            .status())
                    .isEqualTo(403);
            server.sql().update("UPDATE directories SET enabled = true WHERE project_id = ?::uuid", project.id());
        }
        assertThat(scim.roles(ada, bob)).containsExactly("member", "member");
        assertThat(scim.call("GET", "/Users").expect(200).text("totalResults")).isEqualTo("2");
        assertThat(scim.call("GET", "/Groups").expect(200).text("totalResults")).isEqualTo("1");
    }

    @Test
    void membersAreUsersOfTheDirectory() {
        var group = group("Admins", ada);
        for (var stranger :
                List.of(scim.owner().text("user/id"), UUID.randomUUID().toString(), "no-id", "")) {
            scim.patch(
                            "/Groups/" + group.text("id"),
                            Map.of("op", "add", "path", "members", "value", List.of(Map.of("value", stranger))))
                    .expect(400);
        }
        for (var odd : List.of(
                Map.of("op", "add", "path", "members", "value", "x"),
                Map.of("op", "add", "path", "members", "value", List.of(1)),
                Map.of("op", "remove", "path", "members[display eq \"x\"]"),
                Map.of("op", "add", "path", "members[value eq \"x\"]", "value", "x"),
                Map.of("op", "replace", "path", "displayName", "value", ""),
                Map.of("op", "replace", "path", "password", "value", "x"))) {
            scim.patch("/Groups/" + group.text("id"), odd).expect(400);
        }
        scim.call("POST", "/Groups").json(Map.of()).expect(400);
        scim.call("POST", "/Groups").json(Map.of("displayName", "a\u0000")).expect(400);
    }

    @Test
    void simultaneousChangesLoseNoMember() {
        var group = group("Admins");
        var users = new ArrayList<Response>();
        for (var i = 0; i < 20; i++) {
            users.add(scim.user("user" + i));
        }
        map(Map.of("Admins", "admin"));
        users.stream()
                .map(user -> scim.patch(
                                "/Groups/" + group.text("id"),
                                Map.of("op", "add", "path", "members", "value", members(user)))
                        .sendAsync())
                .toList()
                .forEach(one -> assertThat(one.join().status()).isEqualTo(200));
        assertThat(ids(scim.call("GET", "/Groups/" + group.text("id")).expect(200)))
                .hasSize(20);
        assertThat(scim.roles(users.toArray(Response[]::new))).containsOnly("admin");
    }
}
