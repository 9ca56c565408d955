package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Organizations of users, by their members, servers and the dashboard. */
@ExtendWith(WithServer.class)
class OrganizationIT {
    private final TestServer server;
    private final TestProject project;
    private final OrganizationCalls calls;
    private final Response ann;

    OrganizationIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.calls = new OrganizationCalls(server, project);
        this.ann = project.signUp();
    }

    @Test
    void aUserCreatesAnOrganizationAndOwnsIt() {
        var created = calls.as(ann, "POST", "")
                .json(Map.of(
                        "name",
                        "Analytical Engines",
                        "logoUrl",
                        "https://cdn.example.com/logo.png",
                        "metadata",
                        Map.of("plan", "pro"),
                        "maxMembers",
                        7,
                        "unknown",
                        1))
                .expect(201);

        assertThat(created.text("slug")).isEqualTo("analytical-engines");
        assertThat(created.text("createdBy")).isEqualTo(OrganizationCalls.id(ann));
        assertThat(created.text("maxMembers")).isEqualTo("7");
        assertThat(created.text("metadata/plan")).isEqualTo("pro");
        assertThat(created.text("role")).isEqualTo("owner");
        assertThat(calls.as(ann, "GET", "/" + created.text("id")).expect(200).json())
                .isEqualTo(created.json());
        var listed = calls.as(ann, "GET", "?page=1&limit=10").expect(200);
        assertThat(listed.json().at("/data/0")).isEqualTo(created.json());
        assertThat(listed.text("total") + listed.text("page") + listed.text("limit"))
                .isEqualTo("1110");
        var member = calls.as(ann, "GET", "/" + created.text("id") + "/members").expect(200);
        assertThat(member.json()).hasSize(1);
        assertThat(member.text("0/id")).isEqualTo(member.text("0/userId")).isEqualTo(OrganizationCalls.id(ann));
        assertThat(member.text("0/user/email")).isEqualTo(ann.text("user/email"));
    }

    @Test
    void aTakenSlugIsRefusedWhenAskedForAndElseAvoided() {
        calls.create(ann, "Engines");
        assertThat(calls.as(ann, "POST", "")
                        .json(Map.of("name", "Other", "slug", "engines"))
                        .expect(409)
                        .text("code"))
                .isEqualTo("name_taken");
        assertThat(calls.as(ann, "POST", "")
                        .json(Map.of("name", "Engines"))
                        .expect(201)
                        .text("slug"))
                .startsWith("engines-");
        var other = calls.create(ann, "🚀");
        assertThat(calls.as(ann, "GET", "/" + other).expect(200).text("slug")).isEqualTo("organization");
        calls.as(ann, "PATCH", "/" + other).json(Map.of("slug", "engines")).expect(409);
    }

    @Test
    void tenUsersAtOnceGetTenSlugs() {
        var people = IntStream.range(0, 10).mapToObj(i -> project.signUp()).toList();
        assertThat(Parallel.send(10, i -> calls.as(people.get(i), "POST", "").json(Map.of("name", "Engines"))))
                .extracting(Response::status)
                .containsOnly(201);
    }

    @Test
    void oddFieldsAreRefused() {
        for (var bad : List.of(
                Map.of("name", ""),
                Map.of("name", "a\u0000b"),
                Map.of("name", "win at evil.com"),
                Map.of("name", "x".repeat(101)),
                Map.of("name", 1))) {
            assertThat(calls.as(ann, "POST", "").json(bad).expect(422).failingFields())
                    .containsExactly("name");
        }
        for (var slug : List.of("", "A", "a_b", "-a", "a-", "a--b", "a".repeat(61), "é", "a/b", "a\n")) {
            assertThat(calls.as(ann, "POST", "")
                            .json(Map.of("name", "A", "slug", slug))
                            .expect(422)
                            .failingFields())
                    .as(slug)
                    .containsExactly("slug");
        }
        for (var max : Arrays.asList(0, -1, 101, 1_000_001, 1.5, "5", 1e300)) {
            assertThat(calls.as(ann, "POST", "")
                            .json(Map.of("name", "A", "maxMembers", max))
                            .expect(422)
                            .failingFields())
                    .containsExactly("maxMembers");
        }
        assertThat(calls.as(ann, "POST", "")
                        .json(Map.of("name", "A", "logoUrl", "javascript:alert(1)", "metadata", List.of()))
                        .expect(422)
                        .failingFields())
                .containsExactly("logoUrl", "metadata");
        assertThat(calls.as(ann, "POST", "").text("[]").expect(400).status()).isEqualTo(400);
    }

    @Test
    void onlyGivenFieldsChange() {
        var id = calls.create(ann, "Engines");
        calls.as(ann, "PATCH", "/" + id)
                .json(Map.of("metadata", Map.of("a", 1), "logoUrl", "https://example.com/a.png"))
                .expect(200);
        var changed = calls.as(ann, "PATCH", "/" + id)
                .json(Collections.singletonMap("logoUrl", null))
                .expect(200);
        assertThat(changed.json().path("logoUrl").isNull()).isTrue();
        assertThat(changed.text("metadata/a")).isEqualTo("1");
        assertThat(changed.text("name")).isEqualTo("Engines");
        calls.as(ann, "PATCH", "/" + id).json(Map.of()).expect(200);
        assertThat(calls.as(ann, "PATCH", "/" + id)
                        .json(Collections.singletonMap("name", null))
                        .expect(422)
                        .failingFields())
                .containsExactly("name");
    }

    @Test
    void anOrganizationIsUnknownToEverybodyElse() {
        var id = calls.create(ann, "Engines");
        var stranger = project.signUp();
        var elsewhere = server.newProject();
        var foreign = elsewhere.signUp();
        for (var path : List.of("/" + id, "/" + id + "/members")) {
            calls.as(stranger, "GET", path).expect(404);
            calls.as(foreign, "GET", path).expect(404);
            elsewhere.manage("GET", "/v1/backend/organizations" + path).expect(404);
            elsewhere.manage("GET", "/v1/dashboard/organizations" + path).expect(404);
        }
        for (var who : List.of(stranger, foreign)) {
            calls.as(who, "PATCH", "/" + id).json(Map.of("name", "Mine")).expect(404);
            calls.as(who, "DELETE", "/" + id).expect(404);
            calls.as(who, "POST", "/" + id + "/leave").expect(404);
            calls.as(who, "DELETE", "/" + id + "/members/" + OrganizationCalls.id(ann))
                    .expect(404);
        }
        for (var door : List.of("backend", "dashboard")) {
            var path = "/v1/" + door + "/organizations/" + id;
            elsewhere.manage("PATCH", path).json(Map.of("name", "Mine")).expect(404);
            elsewhere.manage("DELETE", path).expect(404);
            elsewhere
                    .manage("POST", path + "/members")
                    .json(Map.of("userId", foreign.text("user/id")))
                    .expect(404);
        }
        assertThat(calls.as(stranger, "GET", "").expect(200).text("total")).isEqualTo("0");
        for (var odd : List.of("no-id", "%00", UUID.randomUUID().toString())) {
            calls.as(ann, "GET", "/" + odd).expect(404);
        }
    }

    @Test
    void aServerCreatesOneForAUserOfItsProjectAlone() {
        var fields = Map.of("name", "Engines", "createdBy", OrganizationCalls.id(ann), "maxMembers", 5000);
        var created = calls.manage("POST", "").json(fields).expect(201);
        assertThat(created.text("maxMembers")).isEqualTo("5000");
        assertThat(calls.roles(created.text("id"))).containsExactly("owner");
        calls.as(ann, "GET", "/" + created.text("id")).expect(200);

        var foreign = server.newProject().signUp();
        for (var user : List.of(foreign.text("user/id"), UUID.randomUUID().toString(), "x")) {
            assertThat(calls.manage("POST", "")
                            .json(Map.of("name", "A", "createdBy", user))
                            .expect(422)
                            .failingFields())
                    .containsExactly("createdBy");
        }
        assertThat(calls.manage("POST", "")
                        .json(Map.of("nmae", "A", "createdBy", OrganizationCalls.id(ann)))
                        .expect(422)
                        .text("message"))
                .contains("nmae is not known");
    }

    @Test
    void serversAndTheDashboardListWhatTheyManage() {
        var first = calls.create(ann, "Analytical Engines");
        var second = calls.create(ann, "Difference Engines");
        var listed = calls.manage("GET", "?page=2&limit=1").expect(200);
        assertThat(listed.text("data/0/id")).isEqualTo(first);
        assertThat(listed.text("total")).isEqualTo("2");
        var found =
                project.manage("GET", "/v1/dashboard/organizations?search=DIFF").expect(200);
        assertThat(found.text("organizations/0/id")).isEqualTo(second);
        assertThat(found.text("total")).isEqualTo("1");
        assertThat(project.manage("GET", "/v1/dashboard/organizations?search=%25")
                        .expect(200)
                        .text("total"))
                .isEqualTo("0");
        assertThat(project.manage("GET", "/v1/dashboard/organizations?search=e&limit=1")
                        .expect(200)
                        .text("total"))
                .isEqualTo("2"); // too short for the index of parts
        var ofUser = project.manage("GET", "/v1/dashboard/users/" + OrganizationCalls.id(ann) + "/organizations")
                .expect(200);
        assertThat(ofUser.text("total")).isEqualTo("2");
        assertThat(ofUser.text("organizations/0/role")).isEqualTo("owner");
        project.manage("GET", "/v1/dashboard/users/" + UUID.randomUUID() + "/organizations")
                .expect(404);
        var members = project.manage("GET", "/v1/dashboard/organizations/" + first + "/members")
                .expect(200);
        assertThat(members.text("members/0/user/email")).isEqualTo(ann.text("user/email"));
        assertThat(members.text("total")).isEqualTo("1");
        calls.manage("GET", "?pgae=2").expect(422);
    }

    @Test
    void aUserCreatesAsManyAsTheProjectAllowsHoweverManyAreAskedForAtOnce() {
        calls.set(Map.of("organizations", Map.of("maxPerUser", 3)));
        var statuses = Parallel.send(12, i -> calls.as(ann, "POST", "").json(Map.of("name", "Engines"))).stream()
                .map(Response::status)
                .sorted()
                .toList();
        assertThat(statuses).startsWith(201, 201, 201, 409).endsWith(409);
        assertThat(statuses.stream().filter(status -> status == 201)).hasSize(3);
    }

    @Test
    void aProjectCanKeepItsUsersFromCreatingAny() {
        calls.set(Map.of("organizations", Map.of("creation", "management")));
        assertThat(calls.as(ann, "POST", "")
                        .json(Map.of("name", "Engines"))
                        .expect(404)
                        .text("code"))
                .isEqualTo("feature_disabled");
        calls.manage("POST", "")
                .json(Map.of("name", "Engines", "createdBy", OrganizationCalls.id(ann)))
                .expect(201);
    }

    @Test
    void dashboardUsersHaveNoOrganizations() {
        server.api()
                .post(OrganizationCalls.ROOT)
                .bearer(project.owner())
                .json(Map.of("name", "Engines"))
                .expect(404);
    }

    @Test
    void whatHappensIsAuditedAndSentToWebhooks() {
        calls.subscribe();
        var id = calls.create(ann, "Engines");
        var member = calls.join(id, "member");
        var ofMember = "/" + id + "/members/" + OrganizationCalls.id(member);
        calls.as(ann, "PATCH", ofMember).json(Map.of("role", "admin")).expect(200);
        calls.as(ann, "PATCH", ofMember).json(Map.of("role", "admin")).expect(200);
        calls.as(member, "PATCH", "/" + id).json(Map.of("name", "Motors")).expect(200);
        calls.as(member, "POST", "/" + id + "/leave").expect(200);
        calls.as(ann, "DELETE", "/" + id).expect(200);

        assertThat(calls.events())
                .containsExactly(
                        "organization.created",
                        "organization.member.added",
                        "organization.member.added",
                        "organization.member.role_changed",
                        "organization.updated",
                        "organization.member.removed",
                        "organization.deleted");
        assertThat(calls.audited(id))
                .containsExactly(
                        "org.created",
                        "org.member.added",
                        "org.member.role_changed",
                        "org.updated",
                        "org.member.removed",
                        "org.deleted");
        project.me(member.accessToken()).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"owner\":[]}",
                "{\"Owner\":[]}",
                "{\"a b\":[]}",
                "{\"\":[]}",
                "{\"a\":\"x\"}",
                "{\"a\":[1]}",
                "{\"a\":[\"A\"]}",
                "{\"a\":[\"org.everything\"]}",
                "{\"a\":[\"org.member.manage\"]}",
                "{\"a\\u0000\":[]}",
                "[]",
                "null",
                "1"
            })
    void rolesThatMakeNoSenseAreRefused(String roles) {
        assertThat(project.asOwner("PATCH", "")
                        .text("{\"organizationRoles\":" + roles + "}")
                        .expect(422)
                        .failingFields())
                .containsExactly("organizationRoles");
    }
}
