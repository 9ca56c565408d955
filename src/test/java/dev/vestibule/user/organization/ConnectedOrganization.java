package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** An organization with a proven domain and a connection to its own provider, and what its people do. */
record ConnectedOrganization(
        OauthWorld world, OauthProject app, String id, String domain, String issuer, Response connection) {
    static final String SECRET = "a secret of the organization";

    /** A new organization of the project, whose owner has an email of another domain. */
    static ConnectedOrganization of(OauthWorld world, OauthProject app) {
        var owner = app.project().signUp();
        var id = new OrganizationCalls(world.server(), app.project()).create(owner, "Engines");
        var issuer = world.provider().newIssuer();
        var connection = manage(app.project(), "POST", id, "/connections")
                .json(settings(issuer))
                .expect(201);
        var made = new ConnectedOrganization(world, app, id, UUID.randomUUID() + ".example.com", issuer, connection);
        made.prove(made.domain, "none");
        return made;
    }

    static Map<String, Object> settings(String issuer) {
        return new HashMap<>(
                Map.of("name", "Engines' Okta", "issuer", issuer, "clientId", "the-client", "clientSecret", SECRET));
    }

    private static Call manage(TestProject project, String method, String id, String below) {
        return project.manage(method, "/v1/dashboard/organizations/" + id + below);
    }

    Call manage(String method, String below) {
        return manage(app.project(), method, id, below);
    }

    TestProject project() {
        return app.project();
    }

    String provider() {
        return connection.text("provider");
    }

    String path() {
        return "/connections/" + connection.text("id");
    }

    /** Adds a domain of which the DNS would have the record. */
    String prove(String name, String policy) {
        var added = manage("POST", "/domains")
                .json(Map.of("domain", name, "policy", policy))
                .expect(201)
                .text("id");
        world.server()
                .sql()
                .update(
                        "UPDATE organization_domains SET verified_at = now(), next_check_at = now() + interval '1 day'"
                                + " WHERE project_id = ?::uuid AND id = ?::uuid",
                        project().id(),
                        added);
        return added;
    }

    /** As when the record has been gone for a week. */
    void loseProof() {
        world.server()
                .sql()
                .update(
                        "UPDATE organization_domains SET verified_at = NULL"
                                + " WHERE project_id = ?::uuid AND organization_id = ?::uuid",
                        project().id(),
                        id);
    }

    /** People of the domain sign in only through the connection from now on. */
    void require() {
        manage("PATCH", "/domains/" + manage("GET", "/domains").expect(200).text("0/id"))
                .json(Map.of("policy", "sso_required"))
                .expect(200);
    }

    void change(Map<String, ?> fields) {
        manage("PATCH", path()).json(fields).expect(200);
    }

    Call askUrl(String query) {
        return project().get("/v1/auth/oauth/" + provider() + "/url" + query);
    }

    Call callback(Map<String, ?> fields) {
        var all = new HashMap<String, Object>(Map.of("provider", provider()));
        all.putAll(fields);
        return project().post("/v1/auth/oauth/callback").json(all);
    }

    /** The whole way, in which the application takes the code. */
    Call signIn(String subject, Map<String, ?> claims) {
        return callback(app.login(askUrl("").expect(200), subject, claims));
    }

    Call signIn(String subject, String email) {
        return signIn(subject, Map.of("email", email));
    }

    /** Signs in as a new person with an email of the domain. */
    Response newPerson(String name) {
        return signIn(OauthProject.newSubject(), name + "@" + domain).expect(200);
    }

    String role(Response user) {
        var found = world.server()
                .sql()
                .texts(
                        "SELECT role FROM organization_members WHERE project_id = ?::uuid AND organization_id = ?::uuid"
                                + " AND user_id = ?::uuid",
                        project().id(),
                        id,
                        user.text("user/id"));
        assertThat(found).hasSizeLessThanOrEqualTo(1);
        return found.isEmpty() ? "" : found.get(0);
    }

    /** What an application asks before it shows a field for a password. */
    Response route(String email) {
        return project()
                .post("/v1/auth/oauth/connection")
                .json(Map.of("email", email))
                .expect(200);
    }
}
