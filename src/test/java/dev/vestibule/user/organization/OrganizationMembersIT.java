package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Members, their roles, and who may change them. */
@ExtendWith(WithServer.class)
class OrganizationMembersIT {
    private final TestProject project;
    private final OrganizationCalls calls;
    private final Response owner;
    private final String id;

    OrganizationMembersIT(TestServer server) {
        this.project = server.newProject();
        this.calls = new OrganizationCalls(server, project);
        this.owner = project.signUp();
        this.id = calls.create(owner, "Engines");
    }

    private String member(Response user) {
        return "/" + id + "/members/" + OrganizationCalls.id(user);
    }

    private void isRefused(Response who, String method, String below, Map<String, ?> body) {
        assertThat(calls.as(who, method, below).json(body).expect(403).text("code"))
                .isEqualTo("role_not_allowed");
    }

    @Test
    void aMemberReadsTheMembersAndChangesNothing() {
        var member = calls.join(id, "member");
        assertThat(calls.as(member, "GET", "/" + id + "/members").expect(200).json())
                .hasSize(2);
        isRefused(member, "PATCH", "/" + id, Map.of("name", "Mine"));
        isRefused(member, "DELETE", "/" + id, Map.of());
        isRefused(member, "PATCH", member(member), Map.of("role", "owner"));
        isRefused(member, "PATCH", member(owner), Map.of("role", "member"));
        isRefused(member, "DELETE", member(owner), Map.of());
        assertThat(calls.roles(id)).containsExactly("owner", "member");
    }

    @Test
    void anAdminManagesMembersButMakesNoOwnersAndRemovesNone() {
        var admin = calls.join(id, "admin");
        var member = calls.join(id, "member");
        calls.as(admin, "PATCH", "/" + id).json(Map.of("name", "Motors")).expect(200);
        assertThat(calls.as(admin, "PATCH", member(member))
                        .json(Map.of("role", "admin"))
                        .expect(200)
                        .text("role"))
                .isEqualTo("admin");
        isRefused(admin, "DELETE", "/" + id, Map.of());
        isRefused(admin, "PATCH", member(admin), Map.of("role", "owner"));
        isRefused(admin, "PATCH", member(owner), Map.of("role", "member"));
        isRefused(admin, "DELETE", member(owner), Map.of());
        calls.as(admin, "DELETE", member(member)).expect(200);
        calls.as(member, "GET", "/" + id).expect(404);
    }

    @Test
    void nobodyGivesPermissionsThatTheyDoNotHave() {
        calls.set(Map.of(
                "organizationRoles",
                Map.of(
                        "billing",
                        List.of("invoices.write", "org.members.read"),
                        "people",
                        List.of("org.members.manage"),
                        "reader",
                        List.of())));
        var people = calls.join(id, "people");
        var reader = calls.join(id, "reader");
        for (var role : List.of("billing", "admin", "member", "owner")) {
            isRefused(people, "PATCH", member(reader), Map.of("role", role));
        }
        calls.as(people, "PATCH", member(reader)).json(Map.of("role", "people")).expect(200);
        isRefused(reader, "GET", "/" + id + "/members", Map.of());
        assertThat(calls.as(owner, "GET", "/" + id).expect(200).json().path("permissions"))
                .hasToString(
                        "[\"invoices.write\",\"org.connections.manage\",\"org.delete\",\"org.directories.manage\",\"org.domains.manage\",\"org.keys.manage\",\"org.members.manage\",\"org.members.read\",\"org.update\"]");
        calls.as(owner, "PATCH", member(reader)).json(Map.of("role", "billing")).expect(200);
    }

    @Test
    void aRoleThatTheProjectDropsGivesNoPermission() {
        calls.set(Map.of("organizationRoles", Map.of("people", List.of("org.members.manage", "org.members.read"))));
        var people = calls.join(id, "people");
        calls.as(people, "GET", "/" + id + "/members").expect(200);
        calls.set(Map.of("organizationRoles", Map.of()));
        isRefused(people, "GET", "/" + id + "/members", Map.of());
        assertThat(calls.as(people, "GET", "/" + id).expect(200).json().path("permissions"))
                .isEmpty();
        assertThat(calls.as(owner, "PATCH", member(people))
                        .json(Map.of("role", "people"))
                        .expect(422)
                        .text("message"))
                .isEqualTo("role must be one of owner, admin, member");
        calls.as(owner, "PATCH", member(people)).json(Map.of("role", "member")).expect(200);
    }

    @Test
    void theLastOwnerStays() {
        var admin = calls.join(id, "admin");
        assertThat(calls.as(owner, "POST", "/" + id + "/leave").expect(409).text("code"))
                .isEqualTo("last_owner");
        calls.as(owner, "DELETE", member(owner)).expect(409);
        calls.as(owner, "PATCH", member(owner)).json(Map.of("role", "admin")).expect(409);
        calls.manage("DELETE", member(owner)).expect(409);
        calls.manage("PATCH", member(owner)).json(Map.of("role", "member")).expect(409);
        calls.as(owner, "PATCH", member(admin)).json(Map.of("role", "owner")).expect(200);
        calls.as(owner, "POST", "/" + id + "/leave").expect(200);
        assertThat(calls.roles(id)).containsExactly("owner");
    }

    @Test
    void anOwnerStaysWhenAllOwnersLeaveAtOnce() {
        var owners =
                IntStream.range(0, 6).mapToObj(i -> calls.join(id, "owner")).toList();
        var answers = Parallel.send(
                12,
                i -> i < 6
                        ? calls.as(owners.get(i), "POST", "/" + id + "/leave")
                        : calls.as(owners.get(i - 6), "PATCH", member(owners.get(i - 6)))
                                .json(Map.of("role", "member")));
        assertThat(answers).extracting(Response::status).isSubsetOf(200, 403, 404, 409);
        calls.as(owner, "POST", "/" + id + "/leave").send();
        assertThat(calls.roles(id)).contains("owner");
    }

    @Test
    void noMoreMembersJoinThanAllowedHoweverManyComeAtOnce() {
        var people = IntStream.range(0, 20).mapToObj(i -> project.signUp()).toList();
        calls.as(owner, "PATCH", "/" + id).json(Map.of("maxMembers", 6)).expect(200);
        var answers = Parallel.send(
                20,
                i -> calls.manage("POST", "/" + id + "/members")
                        .json(Map.of("userId", OrganizationCalls.id(people.get(i)))));
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(5);
        assertThat(answers.stream().filter(answer -> answer.status() == 409)).hasSize(15);
        assertThat(calls.roles(id)).hasSize(6);
        assertThat(calls.as(owner, "GET", "/" + id).expect(200).text("memberCount"))
                .isEqualTo("6");
    }

    @Test
    void oneUserWhoIsAddedTenTimesAtOnceIsOneMember() {
        var user = project.signUp();
        var answers = Parallel.send(
                10,
                i -> calls.manage("POST", "/" + id + "/members").json(Map.of("userId", OrganizationCalls.id(user))));
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 409)).hasSize(9);
        assertThat(calls.as(owner, "GET", "/" + id).expect(200).text("memberCount"))
                .isEqualTo("2");
    }

    @Test
    void whoLeftAndWhoWasNeverThereAreNotFound() {
        var member = calls.join(id, "member");
        calls.as(member, "DELETE", member(member)).expect(200);
        calls.as(owner, "DELETE", member(member)).expect(404);
        calls.as(owner, "DELETE", "/" + id + "/members/" + UUID.randomUUID()).expect(404);
        calls.as(owner, "PATCH", "/" + id + "/members/no-id")
                .json(Map.of("role", "admin"))
                .expect(404);
        calls.manage("POST", "/" + id + "/members")
                .json(Map.of("userId", UUID.randomUUID().toString()))
                .expect(404);
    }

    @Test
    void theMembersComeInPagesOfAnySize() {
        calls.join(id, "member");
        calls.join(id, "admin");
        var page =
                calls.as(owner, "GET", "/" + id + "/members?limit=1&offset=1").expect(200);
        assertThat(page.json()).hasSize(1);
        assertThat(page.text("0/role")).isEqualTo("member");
        for (var odd : List.of("limit=0", "limit=1001", "offset=-1", "offset=x")) {
            calls.as(owner, "GET", "/" + id + "/members?" + odd).expect(422);
        }
    }

    @Test
    void aUserWhomAnOrganizationNeedsCannotDeleteTheirAccount() {
        calls.set(Map.of("allowSelfDeletion", true));
        var admin = calls.join(id, "admin");
        var own = calls.create(owner, "Alone");
        assertThat(deleteAccount(owner).status()).isEqualTo(409);
        calls.as(owner, "PATCH", member(admin)).json(Map.of("role", "owner")).expect(200);
        calls.subscribe();

        assertThat(deleteAccount(owner).status()).isEqualTo(200);
        assertThat(calls.roles(id)).containsExactly("owner");
        calls.manage("GET", "/" + own).expect(404);
        assertThat(calls.events()).containsExactlyInAnyOrder("organization.member.removed", "organization.deleted");
        assertThat(calls.as(admin, "GET", "/" + id).expect(200).text("memberCount"))
                .isEqualTo("1");
    }

    private Response deleteAccount(Response user) {
        return project.api()
                .call("DELETE", "/v1/auth/me")
                .bearer(user.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD))
                .send();
    }

    @Test
    void managementCanDeleteAnOwnerAndMakeAnother() {
        var admin = calls.join(id, "admin");
        project.manage("DELETE", "/v1/backend/users/" + OrganizationCalls.id(owner))
                .expect(200);
        assertThat(calls.roles(id)).containsExactly("admin");
        calls.manage("PATCH", member(admin)).json(Map.of("role", "owner")).expect(200);
        assertThat(calls.roles(id)).containsExactly("owner");
    }

    @Test
    void usersWhoAreDeletedWhileTheyJoinLeaveNothingBehind() {
        var people =
                IntStream.range(0, 8).mapToObj(i -> calls.join(id, "member")).toList();
        var second = calls.create(owner, "Second");
        var answers = Parallel.send(
                16,
                i -> i < 8
                        ? project.manage("DELETE", "/v1/backend/users/" + OrganizationCalls.id(people.get(i)))
                        : calls.manage("POST", "/" + second + "/members")
                                .json(Map.of("userId", OrganizationCalls.id(people.get(i - 8)))));
        assertThat(answers).extracting(Response::status).isSubsetOf(200, 201, 404);
        for (var organization : List.of(id, second)) {
            assertThat(calls.roles(organization)).containsExactly("owner");
            assertThat(calls.manage("GET", "/" + organization).expect(200).text("memberCount"))
                    .isEqualTo("1");
        }
    }
}
