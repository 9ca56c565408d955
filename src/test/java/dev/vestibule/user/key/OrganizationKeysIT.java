package dev.vestibule.user.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.user.organization.OrganizationCalls;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** API keys of organizations: who makes them, what they say, and how they end. */
@ExtendWith(WithServer.class)
class OrganizationKeysIT {
    private static final String KEYS = "/api-keys";

    private final TestServer server;
    private final TestProject project;
    private final OrganizationCalls calls;
    private final Response owner;
    private final String organization;

    OrganizationKeysIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.calls = new OrganizationCalls(server.sql(), project);
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "organizationRoles",
                        Map.of("billing", List.of("invoices.read", "org.keys.manage"), "auditor", List.of("log.read"))))
                .expect(200);
        this.owner = project.signUp();
        this.organization = calls.create(owner, "Engines");
    }

    private Call as(Response user, String method, String below) {
        return calls.as(user, method, "/" + organization + KEYS + below);
    }

    private Call manage(String method, String below) {
        return project.manage(method, "/v1/dashboard/organizations/" + organization + KEYS + below);
    }

    private Response create(String... scopes) {
        return as(owner, "POST", "")
                .json(Map.of("name", "Build", "scopes", List.of(scopes)))
                .expect(201);
    }

    private Response verify(String key) {
        return project.manage("POST", "/v1/backend/keys/verify")
                .json(Map.of("key", key))
                .expect(200);
    }

    private boolean isValid(Response created) {
        return verify(created.text("key")).json().path("valid").asBoolean();
    }

    @Test
    void aKeySaysWhoseItIsAndWhatItMayDo() {
        var created = create("invoices.read");
        assertThat(created.text("key")).matches("ok_live_[A-Za-z0-9_-]{59}");
        assertThat(created.text("organizationId")).isEqualTo(organization);
        var listed = as(owner, "GET", "").expect(200);
        assertThat(listed.json()).hasSize(1);
        assertThat(listed.body()).doesNotContain(created.text("key"));
        assertThat(manage("GET", "").expect(200).json()).isEqualTo(listed.json());
        var found = verify(created.text("key"));
        assertThat(found.text("organization/id")).isEqualTo(organization);
        assertThat(found.text("organization/name")).isEqualTo("Engines");
        assertThat(found.text("key/scopes/0")).isEqualTo("invoices.read");
        assertThat(found.json().has("user")).isFalse();
        assertThat(found.body()).doesNotContain(created.text("key"));
        assertThat(server.sql()
                        .texts("SELECT user_keys::text FROM user_keys WHERE project_id = ?::uuid", project.id())
                        .get(0))
                .doesNotContain(created.text("key").substring(20));
    }

    @Test
    void anExchangedTokenIsTheOrganizations() {
        var created = create("invoices.read");
        var token = project.post("/v1/auth/api-keys/token")
                .json(Map.of("key", created.text("key")))
                .expect(200)
                .text("accessToken");
        var claims = Jwt.parse(token).claims();
        assertThat(claims.path("sub").asText()).isEqualTo(organization);
        assertThat(claims.path("org_id").asText()).isEqualTo(organization);
        assertThat(claims.path("scope").asText()).isEqualTo("invoices.read");
        project.me(token).expect(401);
    }

    @Test
    void nobodyGivesAKeyMoreThanTheirOwnRoleHas() {
        var billing = calls.join(organization, "billing");
        var name = "Build";
        as(billing, "POST", "")
                .json(Map.of("name", name, "scopes", List.of("invoices.read")))
                .expect(201);
        for (var beyond : List.of("org.delete", "org.members.manage", "log.read", "nothing.known", "orders:read")) {
            var refused = as(billing, "POST", "")
                    .json(Map.of("name", name, "scopes", List.of("invoices.read", beyond)))
                    .expect(422);
            assertThat(refused.text("details/0/field")).isEqualTo("scopes");
        }
        create("org.delete", "log.read");
        manage("POST", "")
                .json(Map.of("name", name, "scopes", List.of("log.read")))
                .expect(201);
        manage("POST", "")
                .json(Map.of("name", name, "scopes", List.of("nothing.known")))
                .expect(422);
    }

    @Test
    void onlyThoseWithThePermissionTouchKeys() {
        var key = create();
        var member = calls.join(organization, "auditor");
        var outsider = project.signUp();
        var elsewhere = calls.create(outsider, "Others");
        var body = Map.of("name", "Build");
        for (var call : List.of(
                as(member, "GET", ""), as(member, "POST", "").json(body), as(member, "DELETE", "/" + key.text("id")))) {
            assertThat(call.expect(403).text("code")).isEqualTo("role_not_allowed");
        }
        for (var call : List.of(
                as(outsider, "GET", ""),
                as(outsider, "POST", "").json(body),
                as(outsider, "DELETE", "/" + key.text("id")),
                calls.as(outsider, "DELETE", "/" + elsewhere + KEYS + "/" + key.text("id")),
                server.newProject().manage("GET", "/v1/dashboard/organizations/" + organization + KEYS),
                as(owner, "DELETE", "/nonsense"))) {
            call.expect(404);
        }
        assertThat(isValid(key)).isTrue();
        assertThat(server.newProject()
                        .manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key.text("key")))
                        .expect(200)
                        .text("valid"))
                .isEqualTo("false");
    }

    @Test
    void aKeyStaysWhenItsMakerLeavesAndEndsWithTheOrganization() {
        var billing = calls.join(organization, "billing");
        var key = as(billing, "POST", "").json(Map.of("name", "Build")).expect(201);
        calls.as(owner, "DELETE", "/" + organization + "/members/" + billing.text("user/id"))
                .expect(200);
        project.manage("DELETE", "/v1/backend/users/" + billing.text("user/id")).expect(200);
        assertThat(isValid(key)).isTrue();
        var deleted = create();
        manage("DELETE", "/" + deleted.text("id")).expect(200);
        assertThat(isValid(deleted)).isFalse();
        manage("DELETE", "/" + deleted.text("id")).expect(404);
        calls.as(owner, "DELETE", "/" + organization).expect(200);
        assertThat(isValid(key)).isFalse();
        project.post("/v1/auth/api-keys/token")
                .json(Map.of("key", key.text("key")))
                .expect(401);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM revocations WHERE project_id = ?::uuid AND id = ?::uuid",
                                project.id(),
                                key.text("id")))
                .isOne(); // those who verify offline hear of it
    }

    @Test
    void anOrganizationHasNoMoreKeysThanTheLimitEvenAtOnce() {
        var answers = Parallel.send(25, i -> as(owner, "POST", "").json(Map.of("name", "Build " + i)));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(20);
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 409)
                .hasSize(5)
                .allMatch(answer -> answer.text("code").equals("limit_reached"));
    }

    @Test
    void oddFieldsAreRefused() {
        for (var odd : List.<Map<String, ?>>of(
                Map.of(),
                Map.of("name", ""),
                Map.of("name", "a\u0000b"),
                Map.of("name", "x".repeat(101)),
                Map.of("name", "Build", "scopes", List.of("a b")),
                Map.of("name", "Build", "scopes", "invoices.read"),
                Map.of("name", "Build", "expiresAt", Instant.EPOCH.toString()))) {
            as(owner, "POST", "").json(odd).expect(422);
        }
        manage("POST", "").json(Map.of("name", "Build", "scope", "x")).expect(422);
    }
}
