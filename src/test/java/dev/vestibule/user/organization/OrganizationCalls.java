package dev.vestibule.user.organization;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/** The calls about organizations that most tests begin with. */
public record OrganizationCalls(Sql sql, TestProject project) {
    static final String ROOT = "/v1/auth/organizations";

    private static final String SUBSCRIBE = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            VALUES (?::uuid, gen_random_uuid(), 'http://203.0.113.1/', '{*}', 'active', '', now(), now())
            """;

    OrganizationCalls(TestServer server, TestProject project) {
        this(server.sql(), project);
    }

    /** A call of a user. */
    public Call as(Response user, String method, String below) {
        return project.api().call(method, ROOT + below).bearer(user.accessToken());
    }

    /** A call of the application's server. */
    Call manage(String method, String below) {
        return project.manage(method, "/v1/backend/organizations" + below);
    }

    /** The id of a new organization that the user owns. */
    public String create(Response owner, String name) {
        return as(owner, "POST", "").json(Map.of("name", name)).expect(201).text("id");
    }

    /** A new user who is a member. */
    public Response join(String organization, String role) {
        var user = project.signUp();
        join(organization, user, role);
        return user;
    }

    void join(String organization, Response user, String role) {
        manage("POST", "/" + organization + "/members")
                .json(Map.of("userId", user.text("user/id"), "role", role))
                .expect(201);
    }

    /** The roles of the members, the longest-standing first. */
    List<String> roles(String organization) {
        return sql.texts(
                "SELECT role FROM organization_members WHERE project_id = ?::uuid AND organization_id = ?::uuid"
                        + " ORDER BY created_at, user_id",
                project.id(),
                organization);
    }

    void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    /** From now on, {@link #events} has what happens. */
    void subscribe() {
        sql.update(SUBSCRIBE, project.id());
    }

    /** The types of the events about organizations, in their order. */
    List<String> events() {
        return sql
                .texts(
                        "SELECT payload FROM webhook_events WHERE project_id = ?::uuid"
                                + " AND type LIKE 'organization.%' ORDER BY created_at, id",
                        project.id())
                .stream()
                .map(text -> Json.parse(Buffer.buffer(text)).path("type").asText())
                .toList();
    }

    /** The events in the audit log about the organization, in their order. */
    List<String> audited(String organization) {
        return sql.texts(
                "SELECT event FROM audit_log WHERE project_id = ?::uuid AND target_id = ?::uuid"
                        + " ORDER BY created_at, id",
                project.id(),
                organization);
    }

    static String id(Response user) {
        return user.text("user/id");
    }
}
