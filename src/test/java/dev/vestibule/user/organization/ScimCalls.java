package dev.vestibule.user.organization;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An organization with a proven domain and a directory, and the requests of its identity provider. */
public record ScimCalls(
        OrganizationCalls calls, Response owner, String organization, String domain, String directory, String token) {
    static final String PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

    private static final String PROVE = """
            INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy, verified_at, created_at)
            VALUES (?::uuid, gen_random_uuid(), ?::uuid, ?, '', 'none', now(), now())
            """;

    public static ScimCalls start(TestServer server, TestProject project) {
        return start(server.sql(), project);
    }

    public static ScimCalls start(Sql sql, TestProject project) {
        var calls = new OrganizationCalls(sql, project);
        var owner = project.signUp();
        var organization = calls.create(owner, "Engines");
        return start(calls, owner, organization);
    }

    static ScimCalls start(OrganizationCalls calls, Response owner, String organization) {
        var domain = UUID.randomUUID() + ".example.com";
        calls.sql().update(PROVE, calls.project().id(), organization, domain);
        var created = calls.as(owner, "POST", "/" + organization + "/directories")
                .json(Map.of("name", "Entra"))
                .expect(201);
        return new ScimCalls(calls, owner, organization, domain, created.text("id"), created.text("token"));
    }

    /** Below the base URL. */
    Call call(String method, String path) {
        return calls.project().api().call(method, base() + path).bearer(token);
    }

    String base() {
        return "/v1/scim/" + calls.project().id() + "/" + directory;
    }

    Call send(String method, String path, String json) {
        return call(method, path).raw("application/scim+json; charset=utf-8", json);
    }

    Call manage(String method, String below) {
        return calls.as(owner, method, "/" + organization + "/directories" + below);
    }

    public String email(String name) {
        return name + "@" + domain;
    }

    /** A new active user with this name before the domain, as Okta makes one. */
    public Response user(String name) {
        return newUser(name).expect(201);
    }

    Call newUser(String name) {
        return call("POST", "/Users")
                .json(Map.of(
                        "userName", email(name),
                        "name", Map.of("givenName", name, "familyName", "Tester"),
                        "emails", List.of(Map.of("primary", true, "value", email(name), "type", "work")),
                        "active", true));
    }

    Call patch(String path, Object... operations) {
        return call("PATCH", path).json(Map.of("schemas", List.of(PATCH), "Operations", List.of(operations)));
    }

    public Call activate(Response user, boolean active) {
        return patch("/Users/" + user.text("id"), Map.of("op", "replace", "value", Map.of("active", active)));
    }

    /** The roles of the users with these names, or an empty text for those who are not members. */
    List<String> roles(Response... users) {
        return List.of(users).stream().map(this::role).toList();
    }

    private String role(Response user) {
        return String.join(
                "",
                calls.sql()
                        .texts(
                                "SELECT role FROM organization_members WHERE project_id = ?::uuid"
                                        + " AND organization_id = ?::uuid AND user_id = ?::uuid",
                                calls.project().id(),
                                organization,
                                user.text("id")));
    }
}
