package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How organizations set up their own identity providers. */
@ExtendWith({WithServer.class, WithProvider.class})
class OrganizationConnectionsIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final OrganizationCalls calls;
    private Response owner;
    private String id = "";

    OrganizationConnectionsIT(OauthWorld world) {
        this.world = world;
        app = world.newProject();
        calls = new OrganizationCalls(world.server(), app.project());
    }

    @BeforeEach
    void newOrganization() {
        owner = app.project().signUp();
        id = calls.create(owner, "Engines");
    }

    private Response add(Map<String, ?> more) {
        var fields = ConnectedOrganization.settings(world.provider().newIssuer());
        fields.putAll(more);
        return calls.as(owner, "POST", "/" + id + "/connections").json(fields).expect(201);
    }

    private String path(Response connection) {
        return "/" + id + "/connections/" + connection.text("id");
    }

    @Test
    void anOwnerSetsUpAConnectionAndNobodyEverSeesItsSecret() {
        var added = add(Map.of());
        assertThat(added.text("name")).isEqualTo("Engines' Okta");
        assertThat(added.text("provider")).isEqualTo("org-" + added.text("id").replace("-", ""));
        assertThat(added.text("enabled")).isEqualTo("true");
        assertThat(added.json().path("warnings")).isEmpty();

        var changed = calls.as(owner, "PATCH", path(added))
                .json(Map.of("name", "Entra", "enabled", false, "clientId", "another"))
                .expect(200);
        assertThat(changed.text("name")).isEqualTo("Entra");
        assertThat(changed.text("issuer")).isEqualTo(added.text("issuer"));
        var listed = calls.as(owner, "GET", "/" + id + "/connections").expect(200);
        assertThat(listed.json()).hasSize(1);
        assertThat(listed.text("0/clientId")).isEqualTo("another");
        assertThat(app.project()
                        .manage("GET", "/v1/dashboard/organizations/" + id + "/connections")
                        .expect(200)
                        .json())
                .isEqualTo(listed.json());
        for (var seen : List.of(added, changed, listed)) {
            assertThat(seen.body()).doesNotContain(ConnectedOrganization.SECRET).doesNotContainIgnoringCase("secret");
        }

        calls.as(owner, "DELETE", path(added)).expect(200);
        calls.as(owner, "DELETE", path(added)).expect(404);
        assertThat(calls.audited(id))
                .endsWith("org.connection.added", "org.connection.updated", "org.connection.removed");
        assertThat(world.server()
                        .sql()
                        .texts(
                                "SELECT metadata::text FROM audit_log WHERE project_id = ?::uuid",
                                app.project().id()))
                .noneMatch(text -> text.contains(ConnectedOrganization.SECRET))
                .anyMatch(text -> text.contains("clientId") && text.contains("enabled"));
    }

    @Test
    void onlyWhoHoldsThePermissionSeesOrChangesConnections() {
        var added = add(Map.of());
        var member = calls.join(id, "member");
        var stranger = app.project().signUp();
        var fields = ConnectedOrganization.settings("https://accounts.example.com");
        for (var who : Map.of(member, 403, stranger, 404).entrySet()) {
            calls.as(who.getKey(), "GET", "/" + id + "/connections").expect(who.getValue());
            calls.as(who.getKey(), "POST", "/" + id + "/connections")
                    .json(fields)
                    .expect(who.getValue());
            calls.as(who.getKey(), "PATCH", path(added))
                    .json(Map.of("enabled", false))
                    .expect(who.getValue());
            calls.as(who.getKey(), "DELETE", path(added)).expect(who.getValue());
        }
        calls.as(calls.join(id, "admin"), "GET", "/" + id + "/connections").expect(200);

        calls.set(Map.of("organizationRoles", Map.of("it", List.of("org.connections.manage"))));
        calls.as(calls.join(id, "it"), "PATCH", path(added))
                .json(Map.of("enabled", false))
                .expect(200);
    }

    @Test
    void aConnectionOfAnotherOrganizationOrProjectIsNotFound() {
        var added = add(Map.of());
        var second = calls.create(owner, "Second");
        var elsewhere = world.newProject();
        var rename = Map.of("name", "x");
        var wrong = "/" + second + "/connections/" + added.text("id");
        calls.as(owner, "PATCH", wrong).json(rename).expect(404);
        calls.as(owner, "DELETE", wrong).expect(404);
        var path = "/v1/dashboard/organizations" + path(added);
        elsewhere.project().manage("PATCH", path).json(rename).expect(404);
        elsewhere.project().manage("DELETE", path).expect(404);
        elsewhere
                .project()
                .get("/v1/auth/oauth/" + added.text("provider") + "/url")
                .expect(404);
        app.project()
                .get("/v1/auth/oauth/org-" + UUID.randomUUID().toString().replace("-", "") + "/url")
                .expect(404);
    }

    @Test
    void aConnectionIsNoProviderOfTheProject() {
        var added = add(Map.of());
        var provider = added.text("provider");
        assertThat(app.project().get("/v1/auth/providers").expect(200).body()).doesNotContain(provider);
        assertThat(app.project().get("/v1/auth/branding").expect(200).body()).doesNotContain(provider);
        assertThat(app.project().asOwner("GET", "/providers").expect(200).body())
                .doesNotContain(provider);
        app.project()
                .asOwner("PUT", "/providers/" + provider)
                .json(Map.of("clientId", "x", "clientSecret", "y", "issuer", "https://evil.example.com"))
                .expect(404);
        app.project().asOwner("DELETE", "/providers/" + provider).expect(404);
        assertThat(calls.as(owner, "GET", "/" + id + "/connections").expect(200).text("0/issuer"))
                .isEqualTo(added.text("issuer"));
    }

    @Test
    void anotherIssuerNeverGetsTheStoredSecret() {
        var added = add(Map.of());
        var moved = Map.of("issuer", world.provider().newIssuer());
        assertThat(calls.as(owner, "PATCH", path(added)).json(moved).expect(422).failingFields())
                .containsExactly("clientSecret");
        calls.as(owner, "PATCH", path(added))
                .json(Map.of("issuer", moved.get("issuer"), "clientSecret", "another"))
                .expect(200);
        calls.as(owner, "PATCH", path(added))
                .json(Map.of("issuer", moved.get("issuer")))
                .expect(200);
    }

    @Test
    void anIssuerThatDoesNotAnswerIsStoredWithAWarning() {
        var added = add(Map.of("issuer", "http://127.0.0.1:1"));
        assertThat(added.json().path("warnings")).hasSize(1);
        assertThat(added.json().path("warnings").path(0).asText()).contains("http://127.0.0.1:1");
    }

    @Test
    void oddFieldsAreRefused() {
        for (var odd : List.of(
                Map.entry("name", ""),
                Map.entry("name", "a\u0000b"),
                Map.entry("name", "see http://evil.example.com"),
                Map.entry("name", "x".repeat(101)),
                Map.entry("issuer", "ftp://example.com"),
                Map.entry("issuer", "https://user:pw@example.com"),
                Map.entry("issuer", "https://example.com/?a=b"),
                Map.entry("issuer", "https://example.com/#a"),
                Map.entry("clientId", ""),
                Map.entry("clientId", "a\nb"),
                Map.entry("clientSecret", ""),
                Map.entry("clientSecret", "x".repeat(8193)),
                Map.entry("enabled", "yes"))) {
            var fields = ConnectedOrganization.settings("https://accounts.example.com");
            fields.put(odd.getKey(), odd.getValue());
            assertThat(calls.as(owner, "POST", "/" + id + "/connections")
                            .json(fields)
                            .expect(422)
                            .failingFields())
                    .as(odd.toString())
                    .containsExactly(odd.getKey());
        }
        calls.as(owner, "PATCH", "/" + id + "/connections/none").json(Map.of()).expect(404);
    }

    @Test
    void anOrganizationHasAtMostFive() {
        for (int i = 0; i < 5; i++) {
            add(Map.of("enabled", false));
        }
        assertThat(calls.as(owner, "POST", "/" + id + "/connections")
                        .json(ConnectedOrganization.settings("https://accounts.example.com"))
                        .expect(409)
                        .text("code"))
                .isEqualTo("limit_reached");
    }

    @Test
    void whoSignedInLongAgoSignsInAgainFirst() {
        var session = owner.text("refreshToken");
        world.server()
                .sql()
                .update(
                        "UPDATE sessions SET authenticated_at = authenticated_at - interval '1 hour'"
                                + " WHERE project_id = ?::uuid AND user_id = ?::uuid",
                        app.project().id(),
                        owner.text("user/id"));
        var stale = app.project()
                .post("/v1/auth/token/refresh")
                .json(Map.of("refreshToken", session))
                .expect(200);
        assertThat(app.project()
                        .api()
                        .call("POST", OrganizationCalls.ROOT + "/" + id + "/connections")
                        .bearer(stale.text("accessToken"))
                        .json(ConnectedOrganization.settings("https://accounts.example.com"))
                        .expect(403)
                        .text("code"))
                .isEqualTo("reauthentication_required");
    }

    @Test
    void connectionsGoWithTheirOrganization() {
        var added = add(Map.of());
        calls.as(owner, "DELETE", "/" + id).expect(200);
        app.project().get("/v1/auth/oauth/" + added.text("provider") + "/url").expect(404);
        assertThat(world.server()
                        .sql()
                        .count(
                                "SELECT count(*) FROM identity_providers WHERE project_id = ?::uuid"
                                        + " AND organization_id IS NOT NULL",
                                app.project().id()))
                .isZero();
    }
}
