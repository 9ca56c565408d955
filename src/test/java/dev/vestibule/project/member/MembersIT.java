package dev.vestibule.project.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class MembersIT {
    private static final String NOBODY = "019ba6eb-5800-73e4-9f21-6b0d84e7a915";

    private final TestServer server;
    private final TestProject project;

    MembersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** A dashboard user, as the response to the registration. */
    private Response register() {
        return server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of(
                        "email", TestServer.newEmail(), "password", "a dashboard password", "displayName", "Charles"))
                .expect(201);
    }

    private Call invite(Object email, Object role) {
        return project.asOwner("POST", "/members").json(Map.of("email", email, "role", role));
    }

    private Response newMember(String role) {
        return newMember(project, role);
    }

    /** Writes the rows of an accepted invitation directly; acceptance has tests of its own. */
    private Response newMember(TestProject of, String role) {
        var user = register();
        server.sql()
                .update(
                        "INSERT INTO memberships (project_id, user_id, role, created_at)"
                                + " VALUES (?::uuid, ?::uuid, ?, now())",
                        of.id(),
                        id(user),
                        role);
        return user;
    }

    private static String id(Response registered) {
        return registered.text("user/id");
    }

    private String ownerId() {
        return server.api()
                .get("/v1/auth/me")
                .bearer(project.owner())
                .expect(200)
                .text("id");
    }

    private Call change(String caller, String member, Object role) {
        return project.as(caller, "PATCH", "/members/" + member).json(Map.of("role", role));
    }

    private Call remove(String caller, String member) {
        return project.as(caller, "DELETE", "/members/" + member);
    }

    @Test
    void theCreatorOfAProjectIsItsOnlyMemberAndOwner() {
        var list = project.asOwner("GET", "/members").expect(200);

        assertThat(list.json().path("total").asInt()).isEqualTo(1);
        assertThat(list.json().path("members").get(0).fieldNames())
                .toIterable()
                .containsExactly("id", "status", "userId", "email", "displayName", "role", "createdAt", "expiresAt");
        assertThat(list.text("members/0/id")).isEqualTo(ownerId());
        assertThat(list.text("members/0/userId")).isEqualTo(ownerId());
        assertThat(list.text("members/0/status")).isEqualTo("active");
        assertThat(list.text("members/0/expiresAt")).isEqualTo("null");
        assertThat(list.text("members/0/role")).isEqualTo("owner");
    }

    @Test
    void aPageHasAtMostItsLimit() {
        newMember("viewer");
        newMember("viewer");

        var page = project.asOwner("GET", "/members?limit=2&offset=2").expect(200);
        assertThat(page.json().path("total").asInt()).isEqualTo(3);
        assertThat(page.json().path("members")).hasSize(1);
        assertThat(page.text("members/0/userId")).isEqualTo(ownerId());
        assertThat(project.asOwner("GET", "/members?limit=0&offset=-1")
                        .expect(422)
                        .failingFields())
                .containsExactly("limit", "offset");
    }

    @Test
    void aMemberCannotBeInvited() {
        var member = newMember("viewer");
        invite(" " + member.text("user/email").toUpperCase(Locale.ROOT), "owner")
                .expect(409);
        assertThat(project.asOwner("GET", "/members").expect(200).text("members/0/role"))
                .isEqualTo("viewer");
    }

    @ParameterizedTest
    @MethodSource("badMembers")
    void anInvalidFieldIsRejected(Map<String, Object> fields, List<String> failing) {
        assertThat(project.asOwner("POST", "/members").json(fields).expect(422).failingFields())
                .containsExactlyElementsOf(failing);
    }

    static List<Object[]> badMembers() {
        return Arrays.asList(
                new Object[] {Map.of(), List.of("email", "role")},
                new Object[] {Map.of("email", "nobody", "role", "viewer"), List.of("email")},
                new Object[] {Map.of("email", "nul\u0000@example.com", "role", "viewer"), List.of("email")},
                new Object[] {Map.of("email", "\ud800@example.com", "role", "OWNER"), List.of("email", "role")},
                new Object[] {Map.of("email", 1, "role", 1e300), List.of("email", "role")},
                new Object[] {Map.of("email", "a@example.com", "role", "admin"), List.of("role")});
    }

    @Test
    void aChangedRoleAppliesFromTheNextRequest() {
        var member = newMember("viewer");
        project.as(member.accessToken(), "PATCH", "").json(Map.of("name", "B")).expect(403);

        assertThat(change(project.owner(), id(member), "owner").expect(200).text("role"))
                .isEqualTo("owner");
        project.as(member.accessToken(), "PATCH", "").json(Map.of("name", "B")).expect(200);
        change(member.accessToken(), ownerId(), "viewer").expect(200);
        project.asOwner("PATCH", "").json(Map.of("name", "C")).expect(403);
        assertThat(project.asOwner("GET", "").expect(200).text("role")).isEqualTo("viewer");
        assertThat(project.as(member.accessToken(), "GET", "").expect(200).text("role"))
                .isEqualTo("owner");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "admin", "Owner", "\u0000"})
    void anUnknownRoleIsRejected(String role) {
        assertThat(change(project.owner(), ownerId(), role).expect(422).failingFields())
                .containsExactly("role");
        project.asOwner("PATCH", "/members/" + ownerId()).expect(400);
    }

    @Test
    void aRemovedMemberHasNoAccessFromTheNextRequest() {
        var member = newMember("owner");

        assertThat(remove(project.owner(), id(member)).expect(200).body()).isEqualTo("{\"success\":true}");
        project.as(member.accessToken(), "GET", "").expect(404);
        remove(project.owner(), id(member)).expect(404);
        assertThat(project.asOwner("GET", "/members")
                        .expect(200)
                        .json()
                        .path("total")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void aViewerCanLeaveButNotRemoveOthers() {
        var viewer = newMember("viewer");
        var other = newMember("viewer");

        remove(viewer.accessToken(), id(other)).expect(403);
        remove(viewer.accessToken(), ownerId()).expect(403);
        remove(viewer.accessToken(), NOBODY).expect(403);
        remove(viewer.accessToken(), id(viewer)).expect(200);
        project.as(viewer.accessToken(), "GET", "").expect(404);
    }

    @Test
    void theLastOwnerCannotLeave() {
        newMember("viewer");

        remove(project.owner(), ownerId()).expect(409);
        change(project.owner(), ownerId(), "viewer").expect(409);
        change(project.owner(), ownerId(), "owner").expect(200);
        project.asOwner("PATCH", "").json(Map.of("name", "Still mine")).expect(200);
    }

    @Test
    void onlyOneOfTwoOwnersCanLeaveSimultaneously() {
        for (int round = 0; round < 5; round++) {
            var another = server.newProject();
            var second = newMember(another, "owner");
            var first = server.api()
                    .get("/v1/auth/me")
                    .bearer(another.owner())
                    .expect(200)
                    .text("id");

            assertThat(Parallel.send(
                            2,
                            number -> number == 0
                                    ? another.asOwner("DELETE", "/members/" + first)
                                    : another.as(second.accessToken(), "PATCH", "/members/" + id(second))
                                            .json(Map.of("role", "viewer"))))
                    .extracting(Response::status)
                    .containsExactlyInAnyOrder(200, 409);
        }
    }

    @Test
    void anUnknownMemberCannotBeChangedOrRemoved() {
        var elsewhere = register();
        for (var id : List.of(id(elsewhere), NOBODY, "no-id", "%00")) {
            change(project.owner(), id, "viewer").expect(404);
            remove(project.owner(), id).expect(404);
        }
    }

    @Test
    void membersOfAnotherProjectCannotBeChanged() {
        var other = server.newProject();
        var otherOwner = server.api()
                .get("/v1/auth/me")
                .bearer(other.owner())
                .expect(200)
                .text("id");

        remove(project.owner(), otherOwner).expect(404);
        other.as(project.owner(), "DELETE", "/members/" + otherOwner).expect(404);
        other.asOwner("GET", "").expect(200);
    }
}
